"""`python -m bothways` is the `bothways` command."""

from bothways.app.cli import main

if __name__ == "__main__":
    main()
