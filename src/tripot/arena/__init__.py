"""Matches between engines, ladders of levels, Elo ratings and plots."""
