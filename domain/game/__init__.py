"""The game as a decider: commands in, events out, events folded back into a game."""
