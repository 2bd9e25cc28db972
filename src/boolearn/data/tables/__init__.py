"""Tables as people have them, with numbers, text and missing values, made Boolean by tests that can be read."""

from boolearn.data.tables.binariser import TableBinariser
from boolearn.data.tables.columns import Columns, as_columns
from boolearn.data.tables.questions import Above, ColumnTest, Equals, Missing, Truth
from boolearn.data.tables.reading import read_raw, read_to_predict, read_with_target

__all__ = [
    "Above",
    "ColumnTest",
    "Columns",
    "Equals",
    "Missing",
    "TableBinariser",
    "Truth",
    "as_columns",
    "read_raw",
    "read_to_predict",
    "read_with_target",
]
