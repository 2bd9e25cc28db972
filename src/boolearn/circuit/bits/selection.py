"""From a net of bits to instructions: dead nodes dropped, neighbours joined, negations absorbed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from boolearn.circuit.bits.instructions import Op
from boolearn.circuit.bits.logic import BitLogic, Rule


@dataclass(frozen=True)
class Step:
    """One instruction over nodes; it stores each result as its node, or as its node negated."""

    op: Op
    results: tuple[int, ...]
    operands: tuple[int, ...]


def select(logic: BitLogic, outputs: Sequence[int]) -> tuple[list[Step], list[int]]:
    """The steps that compute the output bits, and for every node 1 if what is stored is its negation."""
    selection = _Selection(logic, outputs)
    return selection.steps(), selection.negated


class _Selection:
    def __init__(self, logic: BitLogic, outputs: Sequence[int]) -> None:
        self._nodes = logic.nodes
        self._uses = [0] * len(logic.nodes)
        for bit in outputs:
            self._uses[bit >> 1] += 1
        for node in range(len(logic.nodes) - 1, -1, -1):
            if self._uses[node]:
                for bit in logic.nodes[node].operands:
                    self._uses[bit >> 1] += 1
        self._partner = self._adders()
        self._absorbed = self._absorptions()
        self.negated = [0] * len(logic.nodes)

    def steps(self) -> list[Step]:
        steps: list[Step] = []
        done: set[int] = set(self._absorbed.values())
        for index, node in enumerate(self._nodes):
            if not self._uses[index] or index in done or node.rule is Rule.INPUT:
                continue
            partner = self._partner.get(index)
            if partner is not None:
                done.add(partner)
                low, high = (index, partner) if node.rule in (Rule.XOR, Rule.XOR3) else (partner, index)
                steps.append(self._adder(low, high))
            else:
                steps.append(self._single(index))
        return steps

    def _adders(self) -> dict[int, int]:
        """Pairs of nodes that are the sum and the carry of the same bits."""
        sums: dict[tuple[int, ...], int] = {}
        carries: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for index, node in enumerate(self._nodes):
            if self._uses[index]:
                over = tuple(bit >> 1 for bit in node.operands)
                if node.rule in (Rule.XOR, Rule.XOR3):
                    sums[over] = index
                elif node.rule in (Rule.AND, Rule.MAJ):
                    carries[over].append(index)
        partner: dict[int, int] = {}
        for over, low in sums.items():
            if carries[over]:
                partner[low], partner[carries[over][0]] = carries[over][0], low
        return partner

    def _absorptions(self) -> dict[int, int]:
        """For some Ands the And below them that nothing else reads: both become one instruction."""
        absorbed: dict[int, int] = {}
        taken: set[int] = set()
        for index in range(len(self._nodes) - 1, -1, -1):
            if not self._uses[index] or index in taken or not self._is_lone_and(index):
                continue
            for bit in reversed(self._nodes[index].operands):
                if self._uses[bit >> 1] == 1 and self._is_lone_and(bit >> 1):
                    absorbed[index] = bit >> 1
                    taken.add(bit >> 1)
                    break
        return absorbed

    def _is_lone_and(self, index: int) -> bool:
        return self._nodes[index].rule is Rule.AND and index not in self._partner

    def _stored(self, bit: int) -> int:
        """The bit in terms of what is stored for its node."""
        return bit ^ self.negated[bit >> 1]

    def _single(self, index: int) -> Step:
        node = self._nodes[index]
        bits = [self._stored(bit) for bit in node.operands]
        if node.rule is Rule.CONSTANT:
            return Step(Op.ZERO, (index,), ())
        if node.rule in (Rule.XOR, Rule.XOR3):
            return self._step(Op.XOR if node.rule is Rule.XOR else Op.XOR_XOR, index, bits, sum(bits) & 1)
        if node.rule is Rule.MAJ:
            bits, flip = _for_majority(bits)
            return self._step(Op.MAJ_NOT if bits[2] & 1 else Op.MAJ, index, bits, flip)
        inner = self._absorbed.get(index)
        if inner is None:
            return self._step(*_conjunction(index, bits))
        (inner_bit,) = (bit for bit in node.operands if bit >> 1 == inner)
        (other,) = (bit for bit in node.operands if bit >> 1 != inner)
        below = [self._stored(bit) for bit in self._nodes[inner].operands]
        if not inner_bit & 1:
            return self._step(*_conjunction(index, [self._stored(other), *below]))
        return self._step(*_and_not_both(index, self._stored(other), below))

    def _adder(self, low: int, high: int) -> Step:
        bits = [self._stored(bit) for bit in self._nodes[high].operands]
        if len(bits) == 3:
            bits, flip = _for_majority(bits)
            op = Op.FULL_ADD_NOT if bits[2] & 1 else Op.FULL_ADD
        else:
            bits.sort(key=lambda bit: bit & 1)
            flip = bits[0] & 1
            op = (Op.HALF_ADD, Op.HALF_ADD_NOT, Op.HALF_ADD_OR)[sum(bit & 1 for bit in bits)]
        self.negated[low] = sum(self._stored(bit) & 1 for bit in self._nodes[low].operands) & 1
        self.negated[high] = flip
        return Step(op, (low, high), tuple(bit >> 1 for bit in bits))

    def _step(self, op: Op, index: int, bits: Sequence[int], negated: int) -> Step:
        self.negated[index] = negated
        return Step(op, (index,), tuple(bit >> 1 for bit in bits))


def _for_majority(bits: list[int]) -> tuple[list[int], int]:
    """At most one bit negated, and that one last; the second value is 1 if all were flipped."""
    flip = 1 if sum(bit & 1 for bit in bits) >= 2 else 0
    return sorted((bit ^ flip for bit in bits), key=lambda bit: bit & 1), flip


def _conjunction(index: int, bits: list[int]) -> tuple[Op, int, list[int], int]:
    """And of two or three bits; with all of them negated it is the negation of an Or."""
    bits = sorted(bits, key=lambda bit: bit & 1)
    negations = sum(bit & 1 for bit in bits)
    if len(bits) == 2:
        return (Op.AND, Op.AND_NOT, Op.OR)[negations], index, bits, negations // 2
    return (Op.AND_AND, Op.AND_AND_NOT, Op.AND_NOR, Op.OR_OR)[negations], index, bits, negations // 3


def _and_not_both(index: int, outer: int, inner: list[int]) -> tuple[Op, int, list[int], int]:
    """``outer & ~(y & z)`` in every polarity."""
    y, z = sorted(inner, key=lambda bit: bit & 1)
    negations = (y & 1) + (z & 1)
    if outer & 1:  # ~x & ~(y & z) is ~(x | (y & z))
        op = (Op.OR_AND, Op.OR_AND_NOT, Op.NOT_AND_OR)[negations]
        return op, index, [outer, y, z], 0 if negations == 2 else 1
    if negations == 1:  # x & ~(y & ~z) is x & (z | ~y)
        return Op.AND_OR_NOT, index, [outer, z, y], 0
    return Op.AND_NAND if negations == 0 else Op.AND_OR, index, [outer, y, z], 0
