"""Put complete reproductions into ``experiments/results``, where the documentation takes them from.

    python experiments/publish.py multiplier-2-run rule30-run

For every folder: its record, one row in a line, as NAME.json, and its pictures, small, in NAME/. The command in the
record becomes the one that makes it again, without the names of somebody's folders.
"""

from __future__ import annotations

import json
import shlex
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from boolearn import experiments, theory
from boolearn.bench.record import Document, read_record
from boolearn.experiments import Experiment
from boolearn.files import replacing, write_text

RESULTS = Path(__file__).parent / "results"
DOTS_PER_INCH, COLOURS = 100, 64


def publish(run: Path, results: Path = RESULTS) -> str:
    """Publish one folder and return the name of its experiment."""
    record = read_record(run / "record.json")
    record["command"] = command(record)
    if record["parameters"].get("data"):
        record["parameters"]["data"] = Path(record["parameters"]["data"]).name
    name = str(record["benchmark"])
    (results / name).mkdir(parents=True, exist_ok=True)
    write_text(results / f"{name}.json", text(record))
    for old in (results / name).glob("*.png"):
        old.unlink()
    for file, figure in find(name).pictures(record).items():
        whole = BytesIO()
        figure.savefig(whole, format="png", dpi=DOTS_PER_INCH)
        with replacing(results / name / file) as stream:
            Image.open(whole).convert("RGB").quantize(COLOURS).save(stream, "PNG", optimize=True)
    return name


def find(name: str) -> Experiment[Any]:
    """An experiment of the paper or a benchmark for theory."""
    return theory.find(name) if name in theory.NAMES else experiments.find(name)


def command(record: Document) -> str:
    """What makes a record like this one, with the default names of folders."""
    name = str(record["benchmark"])
    words = ["boolearn", "theory" if name in theory.NAMES else "reproduce", name]
    if record["seeds"]:
        words += ["--seed", str(record["seeds"])]
    if record.get("scale", 1) != 1:
        words += ["--scale", f"{record['scale']:g}"]
    if record["parameters"].get("data"):
        words += [] if name in theory.NAMES else ["--data"]
        words.append(Path(record["parameters"]["data"]).name)
    return shlex.join(words)


def text(record: Document) -> str:
    """JSON with a row in a line: short, and yet a difference between two versions shows which rows changed."""
    head = json.dumps({**record, "rows": []}, indent=2, ensure_ascii=False)
    rows = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in record["rows"])
    before, after = head.split('"rows": []')
    return f'{before}"rows": [\n{rows}\n  ]{after}\n'


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        print(publish(Path(folder)))
