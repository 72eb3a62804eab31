"""The rules of the game and the game aggregate: pure values and functions, no I/O."""
