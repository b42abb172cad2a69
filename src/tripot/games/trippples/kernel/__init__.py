"""The compiled half of the engine: the rules over flat arrays, exact solvers, and what is read from them.

tables.py           lookup tables of the board, packed layouts, moves of two players
solver.py           retrograde analysis of the two-player game
repetition.py       wins by repetition (TP-7)
random_opponent.py  values of drawn positions against an opponent who moves at random
teams.py            retrograde analysis of the four-player game

tablebase.py        two players: results, principal variations and facts of a solved layout
team_tablebase.py   four players: the same, and the solutions that are kept in memory
team_search.py      four players: alpha-beta search for levels that do not solve the game
results.py          ranks of results, and candidates built from them

The modules of the second group are plain Python. They are in this package because only `engine.py` and
`kernel/` may use kernels. The price is that a change to them recompiles all kernels once.
"""
