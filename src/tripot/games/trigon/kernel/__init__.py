"""The rules and the search of Trigon over flat arrays, compiled by Numba. Only `engine.py` uses this package.

Position     tables, position, moves          shapes and trie, packed position, legal moves
Bit sets     placement_masks, placement_bits, compact_bits, available_moves
Evaluation   distances, features, opening, value, rewards, prediction
Playouts     history, local_moves, size_sampling, playout
Search       params, tree, workspace, rave, search
Endgame      endgame
Figures      exact_cover
Python       tree_search, endgame_analysis, tiling, results, weights: kernels in terms of the rules
Training     train, train_kernels
"""
