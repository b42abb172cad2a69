"""Programs for maintainers, run from the root of the repository."""
