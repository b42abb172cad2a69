"""The rules and the search of the game over flat arrays, compiled by Numba."""
