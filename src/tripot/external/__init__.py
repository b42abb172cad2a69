"""Engines in other processes: the engine protocol in both directions, and GTP clients."""
