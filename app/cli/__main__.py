"""``python -m app.cli``: the same as ``santorini``."""

from app.cli import main

main()
