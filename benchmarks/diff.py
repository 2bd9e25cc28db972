"""Two records of the same benchmark side by side: rows are matched by their keys, and numbers shown with their ratio.

    python benchmarks/diff.py OLD NEW

OLD and NEW are files, or revisions of files as git writes them: ``HEAD~3:benchmarks/results/bench.json``.
"""

from __future__ import annotations

import argparse

from common import run_script

from boolearn.bench.compare import compare
from boolearn.bench.record import read_record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", help="a record, or REVISION:path")
    parser.add_argument("new", help="a record, or REVISION:path")
    options = parser.parse_args()
    for line in compare(read_record(options.old), read_record(options.new)).lines():
        print(line)


if __name__ == "__main__":
    run_script(main)
