"""What engines share and no game owns."""
