"""The HTTP contract: blueprints, request schemas, problem answers."""
