"""The rules and the search of Trigon over flat arrays for Numba; `engine.py` and `entry_points.py` use them.

Position     tables, position, moves          shapes and trie, packed position, legal moves
Bit sets     placement_masks, placement_bits, compact_bits, available_moves
Evaluation   distances, features, opening, value, rewards, prediction
Playouts     history, local_moves, size_sampling, playout
Search       params, tree, workspace, rave, search
Endgame      endgame
Figures      exact_cover
Python       tree_search, endgame_analysis, tiling, results, weights: kernels in terms of the rules
Training     training_params, train, train_kernels
"""
