"""What others would use, side by side with RRR and the gate search: every method on the same draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.experiments.compared_methods import methods
from boolearn.experiments.compared_problems import Case, draw, iwls_folder
from boolearn.experiments.compared_tables import FAMILIES, groups, size_text
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWN = ("rrr", "gates", "ridge", "forest", "boosting", "adamw", "penalty", "ste", "tsetlin")
"""Methods in the picture; the tables have all."""

STEPS_OF_A_USUAL_JOB = 5000


@dataclass(frozen=True)
class Parameters:
    circuit: tuple[int, ...] = (32, 32, 32, 32, 32, 32)
    circuit_items: tuple[int, ...] = (128, 256, 384, 512)
    batch_items: int = 256
    """The size at which mini-batches are compared too, on Maj circuits as in the paper."""
    batches: tuple[int, ...] = (16, 32, 64, 128)
    rule30: tuple[int, ...] = (16, 32, 32, 16)
    rule30_items: tuple[int, ...] = (64, 96, 128, 160)
    rule30_twice: tuple[int, ...] = (16, 48, 48, 48, 16)
    rule30_twice_items: tuple[int, ...] = (256, 512)
    digits: tuple[int, ...] = (64, 32, 10)
    digit_items: tuple[int, ...] = (128, 1024)
    multipliers: tuple[tuple[int, tuple[int, ...]], ...] = ((2, (4, 4, 4, 4)), (3, (6, 12, 12, 12, 6)))
    fours: tuple[int, ...] = (16, 256, 256)
    fours_items: tuple[int, ...] = (1024,)
    functions: tuple[str, ...] = ("ex00", "ex20", "ex30", "ex50", "ex76", "ex80")
    """An adder, a multiplier, a comparator, a part of a processor, a symmetric function, two groups of digits."""
    function_hidden: tuple[int, ...] = (32, 16)
    seeds: int = 3
    max_iter_percent: int = 100
    """Of the budgets in ``compared_methods``."""


def cases(parameters: Parameters) -> list[Case]:
    p = parameters
    found = [Case(kind, n, p.circuit, max(p.circuit_items)) for kind in ("maj", "andor") for n in p.circuit_items]
    found += [Case("rule30", n, p.rule30, max(p.rule30_items)) for n in p.rule30_items]
    found += [Case("rule30-twice", n, p.rule30_twice, max(p.rule30_twice_items)) for n in p.rule30_twice_items]
    found += [Case("digits", n, p.digits, max(p.digit_items)) for n in p.digit_items]
    found += [Case("multiplier", bits, widths) for bits, widths in p.multipliers]
    found += [Case("fours", n, p.fours, max(p.fours_items)) for n in p.fours_items]
    if iwls_folder() is not None:
        found += [Case("iwls", name, (0, *p.function_hidden, 1)) for name in p.functions]
    return found


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for case in cases(parameters):
        batched = case.family == "maj" and case.size == parameters.batch_items
        batches = parameters.batches if batched else ()
        for name, method in methods(case, parameters.max_iter_percent, batches).items():
            cost = max(1.0, getattr(method, "steps", 0) / STEPS_OF_A_USUAL_JOB)
            for number in range(parameters.seeds):
                arguments = {
                    "case": asdict(case),
                    "method": name,
                    "seed": seed + number,
                    "percent": parameters.max_iter_percent,
                    "batches": batches,
                }
                found.append(Job(f"{case.family}-{case.size}-{name}-{number}", _compare, arguments, cost))
    return found


def _compare(case: Row, method: str, seed: int, percent: int, batches: Sequence[int]) -> Row:
    """One method on one draw."""
    problem = Case(**{**case, "widths": tuple(case["widths"])})
    chosen = methods(problem, percent, tuple(batches))[method]
    drawn = draw(problem, seed)
    report = chosen.fit(drawn.train, seed=seed).report(drawn.train, drawn.test)
    return {
        "family": problem.family,
        "size_of_problem": problem.size,
        "items": len(drawn.train),
        "method": method,
        "name": chosen.name,
        "budget": chosen.budget,
        "seed": seed,
        "scored": drawn.scored if drawn.test is not None else None,
        **asdict(report),
    }


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for group in groups(rows):
        what = f"{FAMILIES[group.family]}, {size_text(group.family, group.size)}: {group.name} ({group.budget})"
        shown = "fitted" if group.test_bits is None else group.scored
        accuracy = group.train_bits if group.test_bits is None else group.test_bits
        ours = f"{shown} {accuracy:.2%} of bits, {group.cpu_seconds:.1f} s, {group.model_size:,.0f} {group.unit}"
        lines.append(Comparison(what, ours + (", a circuit" if group.circuit else ""), group.paper))
    if not any(row["family"] == "iwls" for row in rows):
        lines.append(Comparison(FAMILIES["iwls"], "left out: BOOLEARN_IWLS2020 does not name its folder"))
    return lines


def pictures(record: Document) -> Mapping[str, Figure]:
    """Test accuracy against the number of items, where there are several."""
    found = [group for group in groups(record["rows"]) if group.test_bits is not None]
    several = [
        family
        for family in FAMILIES
        if family != "iwls" and len({group.size for group in found if group.family == family}) > 1
    ]
    figure, axes = panels(max(1, len(several)))
    for panel, family in zip(axes, several, strict=False):
        for place, method in enumerate(DRAWN):
            line = [group for group in found if (group.family, group.method) == (family, method)]
            if line:
                shares = 100 * np.array([group.test_bits for group in line])
                panel.plot([group.size for group in line], shares, "o-", color=colour(place), label=line[0].name)
        panel.set(title=FAMILIES[family], xlabel="training items", ylabel="test bits right, %")
        panel.legend(fontsize=6)
    return {"accuracy.png": figure}


EXPERIMENT = Experiment(
    name="baselines",
    title="Other methods on the same draws: gradient networks, linear models, trees, k-modes, SAT and others",
    paper="gradient networks do not generalise on random circuits; Penalty-AdamW does on one step of rule 30; "
    "k-modes is ahead on MNIST 4's",
    full=Parameters(),
    quick=Parameters(
        circuit=(12, 12, 12, 12),
        circuit_items=(64, 128),
        batch_items=64,
        batches=(16,),
        rule30=(10, 20, 20, 10),
        rule30_items=(40, 80),
        rule30_twice=(10, 30, 30, 30, 10),
        rule30_twice_items=(160,),
        digit_items=(128,),
        multipliers=((2, (4, 4, 4, 4)),),
        fours=(4, 16, 256),
        fours_items=(128,),
        functions=("ex00",),
        seeds=1,
        max_iter_percent=5,
    ),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
