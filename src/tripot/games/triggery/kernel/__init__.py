"""Numba kernels of Triggery: chains, exact turns, clearing, expectations and playouts over flat arrays.

tables        the board as bits, line masks, budgets of the dice
chains        bonus chains
turns         all payments of one turn, and the turn that flips the most tiles
clearing      the cheapest way to clear a board, and plans for known dice
playout       simulated games, and the points of a round
expectation   turns for the fewest expected throws, and for the best chance in a race
params        the tunable numbers
simulation    simulated games within a budget (plain Python)
search        the searches of one call of the engine (plain Python)
"""
