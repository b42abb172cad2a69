"""Tools that the engines of all games share: compilation, bit operations, random numbers, search budgets."""
