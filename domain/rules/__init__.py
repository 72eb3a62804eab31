"""What may, cannot and must be done: steps, turns, the hooks of the powers, legal steps."""
