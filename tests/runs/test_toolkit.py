"""Records of training: what is written reads back, what is spoiled is refused by its line."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.errors import FileError
from boolearn.runs.toolkit import (
    RunRecord,
    read_command,
    read_gap,
    read_run,
    summary_of,
    write_command,
    write_gap,
    write_run,
)
from boolearn.solver import TraceLine
from boolearn.solver.run import SuccessRate
from mutations import result_or_file_error, spoiled

# In the C toolkit's own layout: printf("%10d%14.8f%14.8f%14.8f%14.8f%14.8f%10.3f %%%10.3f %%\n").
GAP = b"""\
         3    0.61000000    0.52000000    0.59000000    1.90000000    1.90000000    39.062 %     0.000 %
         7    0.28000000    0.39000000    0.47000000    1.18000000    1.17500000    42.188 %     0.000 %
        12    0.00300000    0.00200000    0.00500000    0.00950000    0.00950000   100.000 %     0.000 %
"""
# printf("%4d%12d%14.8f%10.3f %%%10.3f %%\n"), then the summary.
RUN = b"""\
   1           0    0.25000000    95.312 %     0.000 %
   2        4720    0.00990000   100.000 %     0.000 %
   3        4215    0.00980000   100.000 %     0.000 %

2 / 3 solutions   4467.500000 +/- 178.544462 iterations/solution
"""
NO_RUN = b"   1           0    0.25000000    95.312 %     0.000 %\n\n no solutions found\n"
CMD = b"./train 2x2.net 2x2.dat 16 3. .2 1e-3 10 1e4 .01 5 2x2a \n"

shares = st.integers(0, 100_000).map(lambda thousandths: thousandths / 100_000)
gaps = st.integers(0, 10**14).map(lambda n: n / 1e8) | st.just(math.inf)


@st.composite
def traces(draw: st.DrawFn) -> list[TraceLine]:
    iterations = sorted(draw(st.sets(st.integers(1, 10**12), min_size=1, max_size=5)))
    return [
        TraceLine(
            iteration=iteration,
            gap_w=draw(gaps),
            gap_x=draw(gaps),
            gap_y=draw(gaps),
            gap=draw(gaps),
            least_gap=draw(gaps),
            train_accuracy=draw(shares),
            test_accuracy=draw(st.none() | shares),
            seconds=0.0,
        )
        for iteration in iterations
    ]


@st.composite
def runs(draw: st.DrawFn) -> list[RunRecord]:
    return [
        RunRecord(number, draw(st.integers(0, 10**12)), draw(gaps), draw(shares), draw(st.none() | shares))
        for number in range(1, draw(st.integers(1, 6)) + 1)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


def closely(accuracy: float | None) -> object:
    return None if accuracy is None else pytest.approx(accuracy, abs=1e-12)


@given(traces())
def test_traces_read_back_as_written(folder: Path, trace: list[TraceLine]) -> None:
    write_gap(folder / "a.gap", trace)
    again = read_gap(folder / "a.gap")
    assert [c.iteration for c in again] == [c.iteration for c in trace]
    for mine, theirs in zip(again, trace, strict=True):
        assert (mine.gap_w, mine.gap_x, mine.gap_y) == (theirs.gap_w, theirs.gap_x, theirs.gap_y)
        assert (mine.gap, mine.least_gap) == (theirs.gap, theirs.least_gap)
        assert mine.train_accuracy == closely(theirs.train_accuracy)
        assert mine.test_accuracy == closely(theirs.test_accuracy)


@given(runs(), st.booleans())
def test_runs_read_back_as_written(folder: Path, records: list[RunRecord], finished: bool) -> None:
    write_run(folder / "a.run", records, finished)
    again, summary = read_run(folder / "a.run")
    assert [(r.number, r.iterations, r.gap) for r in again] == [(r.number, r.iterations, r.gap) for r in records]
    for mine, theirs in zip(again, records, strict=True):
        assert mine.train_accuracy == closely(theirs.train_accuracy)
        assert mine.test_accuracy == closely(theirs.test_accuracy)
    due = summary_of(records)
    if finished:
        assert summary is not None
        assert (summary.solved, summary.starts) == (due.solved, due.starts)
        assert (summary.mean_iterations, summary.error) == pytest.approx((due.mean_iterations, due.error), abs=1e-6)
    else:
        assert summary is None


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=20), min_size=1))
def test_a_command_reads_back_as_written(folder: Path, arguments: list[str]) -> None:
    write_command(folder / "a.cmd", arguments)
    assert read_command(folder / "a.cmd") == arguments


def test_files_in_the_c_toolkits_layout_are_read_and_written_alike(tmp_path: Path) -> None:
    (tmp_path / "a.gap").write_bytes(GAP)
    trace = read_gap(tmp_path / "a.gap")
    assert replace(trace[1], train_accuracy=0.0) == TraceLine(7, 0.28, 0.39, 0.47, 1.18, 1.175, 0.0, 0.0, 0.0)
    assert trace[1].train_accuracy == pytest.approx(0.42188)
    write_gap(tmp_path / "b.gap", trace)
    assert (tmp_path / "b.gap").read_bytes() == GAP
    for content in (RUN, NO_RUN):
        (tmp_path / "a.run").write_bytes(content)
        records, _ = read_run(tmp_path / "a.run")
        write_run(tmp_path / "b.run", records)
        assert (tmp_path / "b.run").read_bytes() == content
    (tmp_path / "a.cmd").write_bytes(CMD)
    assert read_command(tmp_path / "a.cmd")[-2:] == ["5", "2x2a"]


def test_the_summary_counts_solutions_their_mean_and_its_error(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(RUN)
    records, summary = read_run(tmp_path / "a.run")
    assert summary == SuccessRate(2, 3, 4467.5, 178.544462)
    # The spread of two values is half their difference; of a mean of two, that over √2.
    assert summary_of(records).error == pytest.approx((4720 - 4215) / 2 / 2**0.5)
    (tmp_path / "a.run").write_bytes(RUN.replace(b"178.544462", b"-nan"))
    assert read_run(tmp_path / "a.run")[1] == SuccessRate(2, 3, 4467.5, 0)


def test_a_gap_that_is_no_number_any_more_reads_as_infinite(tmp_path: Path) -> None:
    (tmp_path / "a.gap").write_bytes(GAP.replace(b"    0.00500000", b"          -nan"))
    assert read_gap(tmp_path / "a.gap")[2].gap_y == math.inf
    write_run(tmp_path / "a.run", [RunRecord(1, 0, math.nan, 0.5, None)])
    assert "nan" not in (tmp_path / "a.run").read_text()
    assert read_run(tmp_path / "a.run")[0][0].gap == math.inf


def test_a_missing_accuracy_is_a_dash(tmp_path: Path) -> None:
    write_gap(tmp_path / "a.gap", [TraceLine(3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.5, None, 1.5)])
    assert (tmp_path / "a.gap").read_text().endswith("    50.000 %         - %\n")
    write_run(tmp_path / "a.run", [RunRecord(1, 0, 0.1, 0.25, None)])
    assert (tmp_path / "a.run").read_text().splitlines()[0].endswith("    25.000 %         - %")


@pytest.mark.parametrize(
    ("reader", "content", "line", "message"),
    [
        (read_gap, b"", 1, "expected iteration, found the end"),
        (read_gap, GAP[:-3], 3, "expected '%', found the end"),
        (read_gap, GAP + b"13", 4, "expected gap of w, found the end"),
        (read_gap, GAP.replace(b"1.18", b"one", 1), 2, "expected gap .* found 'one0"),
        (read_gap, GAP.replace(b"        12", b"         7"), 3, "iteration must be from 8 to"),
        (read_gap, GAP.replace(b"   100.000", b"   100.001"), 3, "train accuracy must be from 0 to 100. Got '100.001'"),
        (read_gap, GAP.replace(b"0.39", b"-.39"), 2, "gap of x must be from 0"),
        (read_run, b"", 1, "expected number of the run, found the end"),
        (read_run, RUN[:-7], 5, "expected 'iterations/solution', found 'iterations/so'"),
        (read_run, RUN + b"4", 6, "expected the end of the file, found '4'"),
        (read_run, RUN.replace(b"   2 ", b"   3 "), 2, "runs must be numbered from 1 on, here 2. Got 3"),
        (read_run, RUN.replace(b"4720", b"many"), 2, "expected iterations of the run .* found 'many'"),
        (read_run, RUN.replace(b"2 / 3", b"3 / 3"), 5, "summary must be that of the runs above, '2 / 3 solutions"),
        (read_run, RUN.replace(b"4467.5", b"4467.6"), 5, "summary must be that of the runs above"),
        (read_run, NO_RUN.replace(b"  0  ", b"  9  "), 3, "summary must be that of the runs above, '1 / 1"),
        (read_run, b"no solutions found", 1, "expected number of the run"),
        (read_command, b"", 1, "expected a command line, found the end"),
        (read_command, b"train 'a", 1, "expected a command line: No closing quotation"),
        (read_command, b"train \xff", 1, "expected a command line: 'utf-8' codec"),
        (read_command, b"a" * 100_000, 1, "at most 65536 characters"),
    ],
)
def test_spoiled_records_are_refused_by_their_line(
    tmp_path: Path, reader: Callable[[Path], object], content: bytes, line: int, message: str
) -> None:
    path = tmp_path / "a.record"
    path.write_bytes(content)
    with pytest.raises(FileError, match=message) as caught:
        reader(path)
    assert (caught.value.path, caught.value.line) == (path, line)


@pytest.mark.parametrize("reader", [read_gap, read_run, read_command])
@given(content=spoiled(GAP, RUN, NO_RUN, CMD))
def test_whatever_a_record_holds_only_a_file_error_comes_out(
    folder: Path, reader: Callable[[Path], object], content: bytes
) -> None:
    path = folder / "spoiled"
    path.write_bytes(content)
    assert result_or_file_error(reader, path) != []  # nothing is not a record
