"""Why the service could not be started, told to the person at the terminal."""

from __future__ import annotations


class LaunchError(Exception):
    """The service cannot start; the text says why and what to do about it."""
