"""Tools that the engines of all games share. Nothing here knows a particular game."""
