"""Noisy series of E. coli subnetworks: the benchmark of Pušnik et al. (2022), as SAILoR (2024) runs it.

    git clone https://github.com/zigapusnik/SAILoR
    python benchmarks/cells_ecoli.py SAILoR -o benchmarks/results/cells_ecoli.json

Ten networks each of 16, 32 and 64 genes; 560 binarised states of each in ten series, every series once the test part of
a fold. Dynamic accuracy: from the first state of the test series the network is simulated for
55 steps, and all values are compared. Edges lie between a gene and its regulators, without
direction, as the repository counts them; F1 compares them with the gold standard. Our regulators are counted in two
ways: those in the formulas, which is how the published networks are counted, and with them those that are suggested:
genes that tell about another one without changing its more likely value. Published are the means of
the outputs that the repository holds of every method. "unchanged" is x(t+1) = x(t), "most frequent" the value of each
gene that the training part holds more often. The method was chosen on the networks with even numbers,
their test parts and gold standards included; those with odd numbers played no part in it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from common import arguments, recording, run_script

from boolearn.bench.record import Record
from boolearn.cells import Inference, Transitions, infer_network
from boolearn.errors import FileError

SIZES = (16, 32, 64)
NETWORKS = list(range(1, 11))
TIMES = 56
PUBLISHED = ("SAILoR", "BestFit", "MIBNI", "GABNI", "ATEN", "LogBTF", "REVEAL")
Bits = npt.NDArray[np.bool_]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("directory", type=Path, help="a copy of the repository")
    parser.add_argument("--networks", type=int, nargs="*", default=NETWORKS)
    options = parser.parse_args()
    with recording(("genes", "method", "network"), options, 0) as record:
        for size in SIZES:
            for number in options.networks:
                for row in one_network(options.directory, size, number):
                    record.add({"genes": size, "network": number, **row})
            print_means(record, size)


def one_network(directory: Path, size: int, number: int) -> Iterator[dict[str, object]]:
    """The means over the folds, for each method."""
    results = directory / "results" / "EcoliExtractedNetworks" / str(size)
    folder = directory / "data" / "EcoliExtractedNetworks" / str(size)
    states = read_states(results / f"Ecoli-{number}_dream4_timeseries.tsv", size)
    gold = read_gold(folder / f"Ecoli-{number}_goldstandard.tsv", folder / f"Ecoli-{number}_dream4_timeseries.tsv")
    scores: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for test in range(len(states)):
        training = [one for k, one in enumerate(states) if k != test]
        begun = time.process_time()
        found = infer_network(Transitions.from_series(training), method="delays", hold_out=False)
        seconds = time.process_time() - begun
        first, rest = states[test][0], states[test][1:]
        simulated = found.network.simulate(first, TIMES - 1)[1:]
        accuracy = float((simulated == rest).mean())
        scores["boolearn, formulas"].append((accuracy, f1(edges(found, suggested=False), gold), seconds))
        scores["boolearn, suggested too"].append((accuracy, f1(edges(found, suggested=True), gold), seconds))
        scores["unchanged"].append((float((first == rest).mean()), 0.0, 0.0))
        frequent = np.concatenate(training).mean(axis=0) > 0.5
        scores["most frequent"].append((float((frequent == rest).mean()), 0.0, 0.0))
    for method, values in scores.items():
        accuracy, f_score, seconds = np.mean(values, axis=0).round(6).tolist()
        yield {"method": method, "dynamic_accuracy": accuracy, "edge_f1": f_score, "seconds": seconds}
    for method in PUBLISHED:
        errors = read_column(results / method / f"results_network_{number}.tsv", "errors")
        f_scores = read_column(results / method / f"results_structure_network_{number}.tsv", "F1")
        accuracies = [1 - error / ((TIMES - 1) * size) for error in errors if np.isfinite(error)]
        yield {"method": method, "dynamic_accuracies": accuracies, "edge_f1s": f_scores}


def edges(found: Inference, suggested: bool) -> Bits:
    """Symmetric: a gene and its regulators."""
    names = list(found.rules)
    matrix = np.zeros((len(names), len(names)), bool)
    for name, rule in found.rules.items():
        for regulator in (*rule.regulators, *(rule.suggested if suggested else ())):
            matrix[names.index(name), names.index(regulator)] = matrix[names.index(regulator), names.index(name)] = True
    return matrix


def f1(found: Bits, gold: Bits) -> float:
    """Of the upper triangle with the diagonal."""
    upper = np.triu_indices(len(gold))
    both = (found & gold)[upper].sum()
    return float(2 * both / max(1, found[upper].sum() + gold[upper].sum()))


def read_states(path: Path, size: int) -> list[Bits]:
    try:
        values = np.loadtxt(path, np.int64)
    except (OSError, ValueError) as error:
        raise FileError(path, None, f"cannot be read: {error}") from error
    if values.shape != (10 * TIMES, size):
        raise FileError(path, None, f"expected {10 * TIMES} states of {size} genes, found {values.shape}.")
    return np.split(values.astype(bool), 10)


def read_gold(path: Path, series: Path) -> Bits:
    names = [name.strip('"') for name in series.read_text().split("\n", 1)[0].split()][1:]
    place = {name: k for k, name in enumerate(names)}
    matrix = np.zeros((len(names), len(names)), bool)
    for line in path.read_text().splitlines():
        regulator, target, present = line.split()
        if present == "1":
            a, b = place[regulator], place[target]
            matrix[a, b] = matrix[b, a] = True
    return matrix


def read_column(path: Path, name: str) -> list[float]:
    if not path.exists():  # some outputs of ATEN are missing
        return []
    heading, *lines = (line.split("\t") for line in path.read_text().strip().splitlines())
    return [float(line[heading.index(name)]) for line in lines]


def print_means(record: Record, size: int) -> None:
    """Means over networks, of published ones over all folds as in the repository's own analysis."""
    print(f"{size} genes: dynamic accuracy, edge F1")
    for method in dict.fromkeys(row["method"] for row in record.rows):
        rows = [row for row in record.rows if row["genes"] == size and row["method"] == method]
        if "dynamic_accuracies" in rows[0]:
            accuracy = np.mean([value for row in rows for value in row["dynamic_accuracies"]])
            f_score = np.mean([value for row in rows for value in row["edge_f1s"]])
        else:
            accuracy, f_score = (np.mean([row[field] for row in rows]) for field in ("dynamic_accuracy", "edge_f1"))
        print(f"  {method:24} {accuracy:.3f}  {f_score:.3f}", flush=True)


if __name__ == "__main__":
    run_script(main)
