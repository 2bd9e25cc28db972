"""Boolean embeddings: a code of k bits for every word of a corpus."""

from boolearn.words.codes import Neighbour, WordCodes
from boolearn.words.contexts import Contexts, find_contexts
from boolearn.words.corpus import Corpus, read_corpus
from boolearn.words.language import Language, made_language
from boolearn.words.meaning import BitMeaning, Switched
from boolearn.words.recovery import recovered
from boolearn.words.word_codes import word_codes

__all__ = [
    "BitMeaning",
    "Contexts",
    "Corpus",
    "Language",
    "Neighbour",
    "Switched",
    "WordCodes",
    "find_contexts",
    "made_language",
    "read_corpus",
    "recovered",
    "word_codes",
]
