"""Pure functions from what a service answers and who is looking to plain, encodable values."""
