"""Whether `RRR(anneal="auto")`, a σ that rises, finds solutions in fewer iterations, beside β and γ of "auto".

    python benchmarks/auto_anneal.py [--only NAME] [--cpu-seconds S] [-o benchmarks/results/auto_anneal.json]
    python benchmarks/auto_anneal.py --show benchmarks/results/auto_anneal.json

On the problems of settings.py, on which the length of the rise was chosen, from other starts; on those of
auto_settings.py, of which only the autoencoder 16-4-16-16 was seen before; and on decoders. Round k tries both from the
same start, seed 8000 + k; problems take turns as in settings.py. One thread.
"""

from __future__ import annotations

from pathlib import Path

import auto_settings
import settings
from common import arguments, chosen, new_record, run_script
from settings import Case, compare_in_turns, show_ways, with_setting

from boolearn.bench.record import read_record
from boolearn.data import InputKind, random_vectors
from boolearn.network import layered

FIRST_SEED = 8000
FIXED = "σ fixed"
WAYS = {
    FIXED: with_setting("auto", "auto", FIRST_SEED),
    "σ rises": with_setting("auto", "auto", FIRST_SEED, "auto"),
}


def decoder(k: int, seed: int, max_iter: int) -> Case:
    return Case(layered(k, 2**k, 2**k), random_vectors(2**k, 2**k, seed, InputKind.ANY_CODE), 5, max_iter, share=2)


CASES = {
    **{f"{name} (seen)": case for name, case in settings.CASES.items()},
    **auto_settings.CASES,
    "decoder 3-8-8, another": decoder(3, 7, 60_000),
    "decoder 4-16-16": decoder(4, 7, 300_000),
}


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--cpu-seconds", type=float, default=600.0)
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the table of a record and do nothing else")
    options = parser.parse_args()
    if options.show:
        show_ways(read_record(options.show)["rows"], FIXED)
        return
    record = new_record(("problem", "way"), options, "round k, from 0, has seed 8000 + k; data has seeds 1 to 7")
    compare_in_turns(chosen(CASES, options.only), WAYS, record, options)
    show_ways(record.rows, FIXED)


if __name__ == "__main__":
    run_script(main)
