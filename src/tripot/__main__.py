"""`python -m tripot` is the `tripot` command."""

from tripot.cli import main

if __name__ == "__main__":
    main()
