"""Everything that touches the outside: event store, codec, clock, dice."""
