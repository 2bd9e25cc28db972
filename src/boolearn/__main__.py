"""The command ``boolearn``, which is also ``python -m boolearn``."""

import sys


def main() -> None:
    """Loading the commands takes a moment in which Ctrl-C, too, must end the process without a traceback."""
    try:
        from boolearn.cli import main

        main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
