"""Engines in other processes: the engine protocol in both directions, and a GTP client.

process   a child process with line input and output
protocol  the text format that both ends of the engine protocol share
server    the engine's end of the protocol: what `tripot engine` runs
client    the other end: drives an engine process
gtp       a client for programs that speak GTP, the Go Text Protocol
"""
