"""The rules and the search of Triolet over flat arrays, compiled by Numba.

tables        padded grid, move codes, conversion from and to the rules
anchors       anchors, cross-sets, forbidden blocks
moves         move generation with points
position      a game in progress: moves, draws, end of the game
value         parameters, leave values, equity, expected reply, win probability
playout       determinized playouts
endgame       exact alpha-beta search for two players with an empty bag
train         fitting of the parameters by self-play; not used at run time
"""
