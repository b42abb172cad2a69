"""The heap, and the cards of the two seats."""

CARDS = (1, 2, 3)
UNSEEN = 0
