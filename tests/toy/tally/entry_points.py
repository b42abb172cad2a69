"""Nothing of this game is compiled."""

ENTRY_POINTS = ()
