"""``python -m boolearn`` is the command ``boolearn``."""

from boolearn.cli import main

if __name__ == "__main__":
    main()
