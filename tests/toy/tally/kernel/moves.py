"""The twin of the rules for engines: nothing here is worth compiling."""


def best_take(heap: int) -> int:
    """As many as allowed."""
    return min(3, heap)
