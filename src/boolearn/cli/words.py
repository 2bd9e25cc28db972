"""boolearn words: codes of k bits for the words of a text, and questions about codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boolearn.cli.manner import shows_progress
from boolearn.cli.options import whole
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.words import Neighbour, WordCodes


def words(
    corpus: Annotated[Path, typer.Argument(help="A text file in UTF-8; or a folder of codes, to ask about them.")],
    k: Annotated[int, whole("Bits of a code.", "-k", least=1)] = 16,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the codes.")] = None,
    method: Annotated[
        str, typer.Option(help="descent, or for some hundred words skip-gram or generative.")
    ] = "descent",
    weigh: Annotated[
        str, typer.Option(help="descent: contexts count by their information, or all alike (boolean).")
    ] = "information",
    min_count: Annotated[int, whole("Least number of occurrences of a word.")] = 5,
    max_words: Annotated[int | None, whole("Most words, the most frequent ones.")] = None,
    window: Annotated[int, whole("How far from a word its contexts may stand.")] = 3,
    max_contexts: Annotated[int, whole("How many frequent words serve as contexts.")] = 1000,
    affixes: Annotated[bool, typer.Option(help="Beginnings and endings of words are contexts too.")] = False,
    starts: Annotated[int, whole("descent: random starts.")] = 1,
    trials: Annotated[int | None, whole("descent: how many times a bit is learned again.")] = None,
    noise: Annotated[float | None, typer.Option(help="Networks: the share of context bits that may be wrong.")] = None,
    max_iter: Annotated[int | None, whole("Networks: iterations of a start.")] = None,
    restarts: Annotated[int | None, whole("Networks: starts to try.")] = None,
    batch: Annotated[int | None, whole("Networks: words in the solver at a time.")] = None,
    seed: Annotated[int, whole("Same seed, same codes.")] = 0,
    nearest: Annotated[list[str] | None, typer.Option(help="Show the nearest words of a word. Repeatable.")] = None,
    analogy: Annotated[
        list[str] | None, typer.Option(help="man,king,woman: what is to woman as king to man? Repeatable.")
    ] = None,
    bits: Annotated[bool, typer.Option("--bits", help="Show what every bit means.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Learn a code of k bits for every word of a text from the contexts it occurs in.

    Words are runs of letters and digits, in lower case. Afterwards, ask: boolearn words CODES --nearest WORD. Ctrl-C
    takes the codes so far.
    """
    from boolearn.words import WordCodes, word_codes
    from boolearn.words.storage import check_free

    if corpus.is_dir():
        if out is not None:
            raise ParameterError("out", "left out where CORPUS is a folder of codes, which is only read", str(out))
        codes = WordCodes.load(corpus)
    else:
        if out is not None:
            check_free(out)
        asked: dict[str, Any] = {"noise": noise, "max_iter": max_iter, "restarts": restarts, "batch": batch}
        codes = word_codes(
            corpus,
            k,
            method=method,  # type: ignore[arg-type]
            weigh=weigh,  # type: ignore[arg-type]
            min_count=min_count,
            max_words=max_words,
            window=window,
            max_contexts=max_contexts,
            affixes=affixes,
            starts=starts,
            trials=trials,
            seed=seed,
            progress=shows_progress(as_json),
            **{name: value for name, value in asked.items() if value is not None},
        )
        if out is not None:
            codes.save(out)
    answers = {word: codes.nearest(word) for word in nearest or ()}
    answers |= {asked_for: _analogy(codes, asked_for) for asked_for in analogy or ()}
    if as_json:
        found = {name: [one._asdict() for one in several] for name, several in answers.items()}
        print(json.dumps({"words": len(codes), "k": codes.k, **codes.about, "answers": found, "out": out and str(out)}))
        return
    print(f"{codes!r}: {_described(codes.about)}")
    for name, several in answers.items():
        print(f"{name}: {', '.join(f'{one.word} ({one.distance})' for one in several)}")
    if bits:
        for bit in range(codes.k):
            print(codes.bit(bit))
    if out is not None:
        print(f"written: {out}")
    elif not corpus.is_dir() and not answers and not bits:
        print("nothing was written; -o FOLDER keeps the codes", file=sys.stderr)


def _analogy(codes: WordCodes, asked_for: str) -> list[Neighbour]:
    parts = [part.strip() for part in asked_for.split(",")]
    if len(parts) != 3:
        raise ParameterError("analogy", "three words with commas between them, such as man,king,woman", asked_for)
    return codes.analogy((parts[0], parts[1]), parts[2])


def _described(about: dict[str, object]) -> str:
    """How the codes were learned, on one line."""
    shown = {name: f"{value:.4g}" if isinstance(value, float) else value for name, value in about.items()}
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in shown.items())
