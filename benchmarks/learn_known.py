"""How often learn finds the very function, where the function is known: freshly drawn circuits of many kinds.

    python benchmarks/learn_known.py [--only NAME] [--draws N] [--rows N] [--max-work W]
        [-o benchmarks/results/learn_known.json]

Draw k has seed k throughout. learn sees rows of random inputs and nothing else; what it returns is compared with the
truth by a proof over all inputs, and on 10,000 unseen rows. Work instead of time makes the result the same everywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from common import arguments, chosen, recording, run_script

from boolearn.circuit import Circuit, Literal, extract, trace
from boolearn.circuit.building import FALSE, CircuitBuilder, signed
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.errors import CircuitError
from boolearn.learning import learn
from boolearn.model import random_model

Draw = Callable[[np.random.Generator], Circuit]
UNSEEN = 10_000
PROOF_SECONDS = 60.0


def built(n_inputs: int, make: Callable[[CircuitBuilder, list[Literal]], Literal]) -> Circuit:
    builder = CircuitBuilder([f"x{index}" for index in range(n_inputs)])
    output = make(builder, [Literal(index) for index in range(n_inputs)])
    return remove_dead(builder.circuit([("y", output)]))


def random_circuit(depth: int, width: int, gates: str) -> Draw:
    """One output of a random layered circuit, of which learn is not told the layers."""

    def draw(rng: np.random.Generator) -> Circuit:
        model = random_model(*[width] * (depth + 1), gates=gates, seed=int(rng.integers(1 << 30)))
        circuit = extract(model)
        found = trace(circuit, circuit.outputs[0][0])
        place = {name: index for index, name in enumerate(circuit.inputs)}

        def again(builder: CircuitBuilder, inputs: list[Literal]) -> Literal:
            literals = [inputs[place[name]] for name in found.inputs]
            for gate in found.gates:
                literals.append(builder.threshold([literals[k] for k in gate.inputs], gate.weights, gate.bias))
            output = found.outputs[0][1]
            return signed(literals[output.signal], output.sign)

        return built(width, again)

    return draw


def chain(width: int, kind: str, others: int = 0) -> Draw:
    """A comparison or the carry of two numbers, before and between which inputs may stand that do not matter."""

    def draw(rng: np.random.Generator) -> Circuit:
        first, between = (int(number) for number in rng.integers(0, others + 1, 2))
        sign = -1 if kind == "comparator" else 1

        def make(builder: CircuitBuilder, inputs: list[Literal]) -> Literal:
            carry = FALSE
            for bit in range(width):
                other = signed(inputs[first + width + between + bit], sign)
                carry = builder.majority(inputs[first + bit], other, carry)
            return carry

        return built(first + 2 * width + between, make)

    return draw


def table(builder: CircuitBuilder, inputs: list[Literal], values: list[bool]) -> Literal:
    """A function given by its truth table, as an Or of Ands."""
    return builder.disjunction(
        builder.conjunction(signed(one, 1 if row >> k & 1 else -1) for k, one in enumerate(inputs))
        for row in np.flatnonzero(values).tolist()
    )


def junta(n_inputs: int, relevant: int) -> Draw:
    def draw(rng: np.random.Generator) -> Circuit:
        some = rng.choice(n_inputs, relevant, replace=False).tolist()
        values = (rng.random(1 << relevant) < 0.5).tolist()
        return built(n_inputs, lambda builder, inputs: table(builder, [inputs[k] for k in some], values))

    return draw


def parity(n_inputs: int) -> Draw:
    def draw(rng: np.random.Generator) -> Circuit:
        some = rng.choice(n_inputs, int(rng.integers(2, n_inputs // 2)), replace=False).tolist()
        return built(n_inputs, lambda builder, inputs: builder.exclusive(inputs[k] for k in some))

    return draw


def threshold(n_inputs: int, largest: int) -> Draw:
    def draw(rng: np.random.Generator) -> Circuit:
        weights = (rng.integers(1, largest + 1, n_inputs) * rng.choice((-1, 1), n_inputs)).tolist()
        bias = 0 if sum(weights) % 2 else 1
        return built(n_inputs, lambda builder, inputs: builder.threshold(inputs, weights, bias))

    return draw


def read_once(n_inputs: int) -> Draw:
    """A formula of And, Or and Not in which every input stands once."""

    def draw(rng: np.random.Generator) -> Circuit:
        def make(builder: CircuitBuilder, inputs: list[Literal]) -> Literal:
            parts = [signed(inputs[k], int(rng.choice((-1, 1)))) for k in rng.permutation(n_inputs)]
            while len(parts) > 1:
                one, other = (parts.pop(int(rng.integers(len(parts)))) for _ in range(2))
                join = builder.conjunction if rng.random() < 0.5 else builder.disjunction
                parts.append(join((one, other)))
            return parts[0]

        return built(n_inputs, make)

    return draw


CASES: dict[str, Draw] = {
    "And/Or circuit 3×16": random_circuit(3, 16, "andor"),
    "Maj circuit 3×16": random_circuit(3, 16, "maj"),
    "And/Or circuit 5×32": random_circuit(5, 32, "andor"),
    "Maj circuit 5×32": random_circuit(5, 32, "maj"),
    "comparator of 13 bits": chain(13, "comparator"),
    "comparator of 37 bits": chain(37, "comparator"),
    "carry of 21 bits": chain(21, "carry"),
    "comparator of 13 bits among others": chain(13, "comparator", others=5),
    "junta of 4 of 30": junta(30, 4),
    "junta of 6 of 30": junta(30, 6),
    "parity among 40": parity(40),
    "threshold of 9, weights to 3": threshold(9, 3),
    "threshold of 15, weights to 5": threshold(15, 5),
    "read-once formula of 10": read_once(10),
    "read-once formula of 20": read_once(20),
}


def proved(circuit: Circuit, truth: Circuit) -> bool | None:
    """Whether they are equal on all inputs; None where the proof takes too long."""
    try:
        return bool(circuit.prove_equal(truth, time_limit=PROOF_SECONDS))
    except CircuitError:
        return None


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--draws", type=int, default=5, help="functions of every kind")
    parser.add_argument("--rows", type=int, default=2000, help="examples to learn from")
    parser.add_argument("--max-work", type=int, default=100_000_000, help="units of work for each function")
    options = parser.parse_args()
    with recording(("problem",), options, list(range(options.draws))) as record:
        for name, draw in chosen(CASES, options.only).items():
            exact, accuracy, methods, begun = [], [], [], time.process_time()
            for seed in range(options.draws):
                truth = draw(np.random.default_rng(seed))
                shape = (options.rows + UNSEEN, len(truth.inputs))
                inputs = np.random.default_rng([seed, 1]).random(shape) < 0.5
                outputs = truth.predict(inputs) > 0
                found = learn(inputs[: options.rows], outputs[: options.rows], max_work=options.max_work, seed=seed)
                unseen = slice(options.rows, None)
                exact.append(proved(found.circuit, truth))
                accuracy.append(float(((found.predict(inputs[unseen]) > 0) == outputs[unseen]).mean()))
                methods.append(found.method)
            seconds = (time.process_time() - begun) / options.draws
            row = {"problem": name, "exact": exact, "accuracy": accuracy, "methods": methods, "cpu_seconds": seconds}
            record.add(row)
            right, mean, least = sum(map(bool, exact)), 100 * np.mean(accuracy), 100 * min(accuracy)
            print(f"{name:34} {right}/{len(exact)} exact, unseen {mean:.2f} % (least {least:.2f}), {seconds:.1f} CPU s")


if __name__ == "__main__":
    run_script(main)
