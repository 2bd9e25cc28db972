"""The commit of the source, asked of real repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import boolearn.bench.commit as module
from boolearn.bench.commit import file_at, source_commit
from boolearn.errors import FileError

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SOURCE = Path("src/boolearn/bench/commit.py")
NOBODY = {"GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "e", "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "e"}


def git(folder: Path, *words: str) -> str:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", "-C", folder, *words], check=True, capture_output=True, text=True, env={**plain, **NOBODY}
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, in which the module believes to lie."""
    git(tmp_path, "init", "--quiet")
    for path in (SOURCE, Path("benchmarks/results/bench.json"), Path("docs/page.md")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("first\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    monkeypatch.setattr(module, "_HERE", tmp_path / SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_clean_checkout_is_its_commit(repository: Path) -> None:
    assert source_commit() == git(repository, "rev-parse", "HEAD")


@pytest.mark.parametrize("changed", [SOURCE, Path("benchmarks/new.py"), Path("native/new.cpp")])
def test_changed_and_new_source_is_dirty(repository: Path, changed: Path) -> None:
    (repository / changed).parent.mkdir(exist_ok=True)
    (repository / changed).write_text("second\n")
    assert source_commit() == git(repository, "rev-parse", "HEAD") + "-dirty"
    git(repository, "add", ".")
    assert source_commit() == git(repository, "rev-parse", "HEAD") + "-dirty"
    git(repository, "commit", "--quiet", "-m", "second")
    assert source_commit() == git(repository, "rev-parse", "HEAD")


@pytest.mark.parametrize("changed", ["benchmarks/results/bench.json", "benchmarks/results/new.json", "docs/page.md"])
def test_what_no_measurement_depends_on_leaves_it_clean(repository: Path, changed: str) -> None:
    (repository / changed).write_text("second\n")
    assert source_commit() == git(repository, "rev-parse", "HEAD")


def test_a_copy_below_another_repository_has_no_commit(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = repository / "venv/boolearn/bench/commit.py"
    installed.parent.mkdir(parents=True)
    installed.write_text("installed\n")
    monkeypatch.setattr(module, "_HERE", installed)
    assert source_commit() is None


def test_outside_a_checkout_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_HERE", tmp_path / "commit.py")
    assert source_commit() is None


def test_without_git_there_is_no_commit(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    assert source_commit() is None
    with pytest.raises(FileError, match=r"HEAD:docs/page\.md: cannot be read: git cannot be run"):
        file_at("HEAD:docs/page.md")


def test_variables_of_a_hook_do_not_mislead(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(repository / "elsewhere"))
    assert source_commit() == git(repository, "rev-parse", "HEAD")


def test_files_are_read_as_they_were(repository: Path) -> None:
    (repository / "docs/page.md").write_text("zweite ä\n", "utf-8")
    git(repository, "commit", "--quiet", "-a", "-m", "second")
    assert file_at("HEAD:docs/page.md") == "zweite ä\n"
    assert file_at("HEAD~1:docs/page.md") == "first\n"


@pytest.mark.parametrize("place", ["HEAD:missing.json", "nothing:docs/page.md", "--output=stolen:docs/page.md"])
def test_what_git_does_not_have_is_an_error_and_no_option(repository: Path, place: str) -> None:
    with pytest.raises(FileError, match="cannot be read from git"):
        file_at(place)
    assert not list(repository.glob("*stolen*"))


def test_this_checkout_knows_its_commit() -> None:
    """The module as it is imported, in a process of its own; a source archive without .git has none."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        pytest.skip("not a checkout")
    code = "from boolearn.bench.commit import source_commit, _HERE; print(_HERE); print(source_commit())"
    where, commit = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    if root not in Path(where).parents:
        pytest.skip("another copy of boolearn is installed")
    assert commit.removesuffix("-dirty") == git(root, "rev-parse", "HEAD")
