"""Squares, positions and facts: the table, without any opinion on what is allowed."""
