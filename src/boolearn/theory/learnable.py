"""Machine-learnable sets: how few bits describe the members of a set, found by Boolean autoencoders.

An autoencoder learns from some of the members. It has found the set's structure when members that it never saw come
back without a wrong bit. The least bottleneck for which that is seen is an upper bound: for a smaller one the search
may have been too short, unless there are more members than codes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boolearn.bench.record import Document, Row
from boolearn.circuit import circuit_from_formulas
from boolearn.circuit.drawing import draw as draw_circuit
from boolearn.data import Dataset
from boolearn.data.signs import Signs
from boolearn.experiments import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels
from boolearn.experiments.training import described, trained
from boolearn.model import BoolNet
from boolearn.theory.affine import affine_halves
from boolearn.theory.bottleneck import Halves, autoencoder, halves
from boolearn.theory.member_sets import MemberSet, named_set, read_set
from boolearn.theory.non_members import treated

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HELD_OUT = 0.25
MOST_DRAWN = 30
"""Gates of a circuit that is shown as a picture."""
RRR_MOST_BITS = 16
"""RRR is tried on strings that are not longer; on others it would take hours."""


@dataclass(frozen=True)
class Parameters:
    sets: tuple[str, ...] = ("mirror-2", "mirror-4", "mirror-6", "mirror-8", "roman", "circuit-0", "circuit-1")
    data: str | None = None
    """A file whose rows are the set, instead of ``sets``."""
    digest: str | None = None
    """Of that file, so that results of other contents are not mixed with these."""
    members: int = 1000
    """Drawn of a set that is too large to be listed."""
    starts: int = 1
    """Seeds that are tried for a bottleneck and a network before it counts as not found."""
    max_iter: int = 10_000
    """Iterations of RRR in a start."""
    max_iter_gates: int = 1000
    """Sweeps of the gate search in a start."""


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    sets = parameters.sets if parameters.data is None else (parameters.data,)
    for place, name in enumerate(sets):
        common = {"name": name, "file": parameters.data is not None, "members": parameters.members, "seed": seed}
        label = name if parameters.data is None else "data"
        bits = _bits(parameters, name, seed)
        gates = {**common, "solver": "gates", "starts": parameters.starts, "max_iter": parameters.max_iter_gates}
        found.append(Job(f"{place}-{label}-gates", learn_set, gates, bits))
        if bits <= RRR_MOST_BITS:
            rrr = {**common, "solver": "rrr", "starts": parameters.starts, "max_iter": parameters.max_iter}
            found.append(Job(f"{place}-{label}-rrr", learn_set, rrr, bits))
        found.append(Job(f"{place}-{label}-affine", learn_set, {**common, "solver": "affine"}, 1))
    return found


def _bits(parameters: Parameters, name: str, seed: int) -> int:
    return int(_set(name, parameters.data is not None, parameters.members, seed).members.shape[1])


def _set(name: str, file: bool, members: int, seed: int) -> MemberSet:
    return read_set(name, seed) if file else named_set(name, seed, members)


def learn_set(name: str, file: bool, members: int, seed: int, solver: str, starts: int = 1, max_iter: int = 0) -> Row:
    """The least bottleneck found, what the autoencoder does with other strings, and its circuits."""
    found = _set(name, file, members, seed)
    held = max(1, round(HELD_OUT * len(found.members)))
    test, train = found.members[:held], found.members[held:]
    bits = found.members.shape[1]
    row: Row = {
        "set": name,
        "solver": solver,
        "bits": bits,
        "members": len(found.members),
        "held_out": held,
        "least_bits": found.least_bits,
        "rule_known": found.free_bits is not None,
        "starts": starts,
        "max_iter": max_iter,
        "tries": [],
        "least": None,
    }
    chosen: Halves | None = None
    models: dict[int, BoolNet] = {}

    def closes(width: int) -> bool:
        for network in networks(bits, solver):
            for start in range(starts):
                attempt, model = _attempt(train, test, width, network, solver, seed + start, max_iter)
                row["tries"].append(attempt)
                if attempt["held_out_exact"] == 1:
                    models[width] = model
                    return True
        return False

    if solver == "affine":
        circuits = affine_halves(train)
        width = len(circuits.decoder.inputs)
        row["tries"].append({"code": width, "held_out_exact": circuits.exact(test)})
        if width < bits and circuits.exact(test) == 1:
            row["least"], chosen = width, circuits
    else:
        row["least"] = least_width(closes, found.least_bits, bits)
        if row["least"] is not None:
            chosen = halves(models[row["least"]], None if solver == "gates" else train)
    if chosen is not None:
        row["circuits_exact"] = chosen.exact(test)
        row["non_members"] = treated(chosen, found, seed)
        row["encoder"], row["decoder"] = described(chosen.encoder), described(chosen.decoder)
    return row


def networks(bits: int, solver: str) -> list[dict[str, Any]]:
    """What to try: a code of copies or single gates with Xors in the decoder; more layers; more layers of larger gates.

    Only the gate search has Xors.
    """
    wide = min(max(bits, 24), 32)
    xor = {"xor": True} if solver == "gates" else {}
    plain = {"encoder": (), "decoder": (max(bits, wide),), "settings": {"sigma": 3, **xor}}
    deep = {"encoder": (wide,), "decoder": (wide, wide)}
    return [plain, {**deep, "settings": {"sigma": 3}}, {**deep, "settings": {"sigma": 5}}]


def _attempt(
    train: Signs, test: Signs, width: int, network: Mapping[str, Any], solver: str, seed: int, max_iter: int
) -> tuple[Row, BoolNet]:
    wiring = autoencoder(train.shape[1], network["encoder"], width, network["decoder"])
    # RRR goes on until its gap closes: only then are its neurons small gates, of which circuits can be made.
    stop = "fit" if solver == "gates" else "gap"
    settings = {"solver": solver, "seed": seed, "max_iter": max_iter, "stop": stop, **network["settings"]}
    run = trained(wiring, Dataset(train, train), **settings)
    model = run.model
    layers = (train.shape[1], *network["encoder"], width, *network["decoder"], train.shape[1])
    return {
        "code": width,
        "layers": layers,
        "sigma": network["settings"]["sigma"],
        "seed": seed,
        "iterations": run.iterations,
        "train_exact": _exact(model, train),
        "held_out_exact": _exact(model, test) if run.train_accuracy == 1 else None,
        "train_accuracy": run.train_accuracy,
    }, model


def _exact(model: BoolNet, rows: Signs) -> float:
    return float((model.predict(rows) == rows).all(axis=1).mean())


def least_width(closes: Callable[[int], bool], least: int, most: int) -> int | None:
    """By bisection, the smallest width that closes. ``least`` comes first: nothing below it can close.

    ``most``, at which copies do, is not tried; None where nothing below it closes.
    """
    if least >= most:
        return None
    if closes(least):
        return least
    below, above = least, most
    while above - below > 1:
        middle = (below + above) // 2
        if closes(middle):
            above = middle
        else:
            below = middle
    return above if above < most else None


def summary(rows: Sequence[Row]) -> list[Comparison]:
    return [Comparison(f"{row['set']}, {row['solver']}", _said(row), _expected(row)) for row in rows]


def _expected(row: Row) -> str:
    """The fewest bits that are needed to tell the members apart."""
    return f"{row['least_bits']} free bits" if row["rule_known"] else f"at least {row['least_bits']}"


def _said(row: Row) -> str:
    if row["least"] is None:
        text = f"not found below {row['bits']} bits"
        if row["solver"] == "affine":
            return (
                f"{text}: {row['tries'][0]['code']} bits, {row['tries'][0]['held_out_exact']:.1%} of held-out members"
            )
        return f"{text} with {_budget(row)}"
    text = f"{row['least']} of {row['bits']} bits; all {row['held_out']} held-out members exact"
    if row["circuits_exact"] < 1:  # those of RRR are only promised for training members
        text += f" (by the network; {row['circuits_exact']:.1%} by its circuits)"
    missed = sorted({attempt["code"] for attempt in row["tries"]} - {row["least"]} - _found(row))
    if missed:
        text += f"; not found with {_budget(row)}: {', '.join(map(str, missed))}"
    for name, title in (("random", "other strings"), ("neighbours", "one bit flipped")):
        seen = row["non_members"][name]
        if seen is not None:
            text += f"; {title}: {seen['reconstructed']:.1%} reconstructed, {seen['wrong_bits']:.1f} bits wrong"
    counts = [sum(row[half]["gates"].values()) for half in ("encoder", "decoder")]
    return f"{text}; {counts[0]} + {counts[1]} gates"


def _found(row: Row) -> set[int]:
    return {attempt["code"] for attempt in row["tries"] if attempt["held_out_exact"] == 1}


def _budget(row: Row) -> str:
    unit = "sweeps" if row["solver"] == "gates" else "iterations"
    several = f"{row['starts']} starts" if row["starts"] > 1 else "1 start"
    return f"{row['max_iter']:,} {unit} × {several} × {len(networks(row['bits'], row['solver']))} networks"


def pictures(record: Document) -> Mapping[str, Figure]:
    figures = {"bottlenecks.png": _bottlenecks(record["rows"])}
    small = [row for row in record["rows"] if row["least"] is not None and _drawable(row["decoder"])]
    if small:
        row = max(small, key=lambda row: int(row["bits"]))
        decoder = row["decoder"]
        circuit = circuit_from_formulas(decoder["formulas"], decoder["inputs"], decoder["outputs"])
        figures["decoder.png"] = draw_circuit(circuit, f"{row['set']}: from {row['least']} to {row['bits']} bits")
    return figures


def _drawable(circuit: Row) -> bool:
    return bool(0 < sum(circuit["gates"].values()) <= MOST_DRAWN)


def _bottlenecks(rows: Sequence[Row]) -> Figure:
    """For every width that was tried, the best share of training and of held-out members that came back."""
    searched = [row for row in rows if row["solver"] != "affine"]
    figure, axes = panels(2)
    titles = ("training members that come back", "held-out members that come back")
    for panel, field, title in zip(axes, ("train_exact", "held_out_exact"), titles, strict=True):
        for place, row in enumerate(searched):
            widths = sorted({attempt["code"] for attempt in row["tries"]})
            shares = [
                max(attempt[field] or 0 for attempt in row["tries"] if attempt["code"] == width) for width in widths
            ]
            excess = [width / row["least_bits"] for width in widths]
            style = "-" if row["solver"] == "gates" else ":"
            panel.plot(excess, shares, style, marker=".", color=colour(place), label=f"{row['set']}, {row['solver']}")
        panel.set(xlabel="bottleneck / bits that the members need", ylabel=title, ylim=(-0.03, 1.05))
    axes[0].legend(fontsize=6)
    return figure


EXPERIMENT = Experiment(
    name="learnable",
    title="The least bottleneck through which members of a set pass, also those that were not learned",
    paper="not in the paper; expected is what the number of members asks for, ⌈log₂ members⌉",
    full=Parameters(),
    quick=Parameters(sets=("mirror-2", "mirror-4", "circuit-0"), max_iter=1000, max_iter_gates=500),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
