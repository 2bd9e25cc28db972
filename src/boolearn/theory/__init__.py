"""Benchmarks for theory: questions about Boolean representations, each made measurable.

Every module with an ``EXPERIMENT`` is one question, in the form of the paper's experiments: independent jobs, a table,
pictures drawn from the record.

learnable; member_sets, bottleneck, affine, non_members
    How few bits describe the members of a set, by Boolean autoencoders; the sets, the networks, codes by Gaussian
    elimination, and what becomes of strings outside the set.
transition; logistic
    How many items it takes to learn a circuit exactly, against the information estimate; the fit.
width_depth
    Wide or deep networks with equally many edges.
dimensions; language
    How many dimensions the codes of language-like tokens need; the language.
cost
    CPU seconds beside accuracy.
problems
    Small problems that several of them share.
"""

from boolearn.theory.catalogue import NAMES, find

__all__ = ["NAMES", "find"]
