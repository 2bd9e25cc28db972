"""Dataset: what is to be learned. Generators, loaders and data files."""

from boolearn.data.automata import automaton, evolve
from boolearn.data.binarise import Binariser, Thermometer, Threshold
from boolearn.data.contradictions import Contradictions
from boolearn.data.csv import read_csv, write_csv
from boolearn.data.dat import read_dat, write_dat
from boolearn.data.dataset import Dataset, InputKind, OutputKind
from boolearn.data.digit_images import digits
from boolearn.data.gen import Codes, read_gen, write_gen
from boolearn.data.life import evolve_life, life
from boolearn.data.mirror_images import mirror
from boolearn.data.mnist import mnist_fours
from boolearn.data.multiplication import multiplier
from boolearn.data.npz import read_npz, write_npz
from boolearn.data.pairs import as_dataset
from boolearn.data.pla import read_pla, write_pla
from boolearn.data.reading import read, write
from boolearn.data.roman_numerals import roman
from boolearn.data.seven_segments import seven_segments
from boolearn.data.vectors import one_hot_vectors, random_vectors

__all__ = [
    "Binariser",
    "Codes",
    "Contradictions",
    "Dataset",
    "InputKind",
    "OutputKind",
    "Thermometer",
    "Threshold",
    "as_dataset",
    "automaton",
    "digits",
    "evolve",
    "evolve_life",
    "life",
    "mirror",
    "mnist_fours",
    "multiplier",
    "one_hot_vectors",
    "random_vectors",
    "read",
    "read_csv",
    "read_dat",
    "read_gen",
    "read_npz",
    "read_pla",
    "roman",
    "seven_segments",
    "write",
    "write_csv",
    "write_dat",
    "write_gen",
    "write_npz",
    "write_pla",
]
