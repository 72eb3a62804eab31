"""What the bench tells: its table, the results it keeps, and the verdict of a comparison."""

from __future__ import annotations

import subprocess

import click
import msgspec
import pytest

from bench import compare, results
from bench.compare import Row, direction, side_by_side
from bench.measure import Figure, at_least, at_most, beside, table
from bench.results import Machine, Part, Result, latest, read, save

MACHINE = Machine(2, "a processor", "Linux 6", "CPython 3.11", "7.0.15", "yes", "always", 0.5)


def result(*figures: Figure, date: str = "2026-01-02T03:04", revision: str = "abc") -> Result:
    return Result(date, revision, MACHINE, [Part("part", list(figures))])


def test_a_bound_is_kept_at_its_edge():
    assert at_least("x", 3, "s", 3).kept is True
    assert at_least("x", 2.9, "s", 3).kept is False
    assert at_most("x", 3, "s", 3).kept is True
    assert at_most("x", 3.1, "s", 3).kept is False


def test_beside_a_peer_the_ratio_is_bounded():
    figure = beside("x", 1_000, 2_000, "a second", least=0.6)
    assert (figure.ratio, figure.peer, figure.kept, figure.bound) == (0.5, 2_000, False, ">= 0.6x")
    assert beside("x", 3, 2, "ms", most=1.5).kept is True
    assert beside("x", 3.1, 2, "ms", most=1.5).kept is False
    assert beside("x", 3, 2, "ms").kept is None


def test_the_table_has_a_line_for_each_figure_under_its_part():
    shown = table([("one", [at_least("a", 12_345.6, "a second", 10_000)]),
                   ("two", [beside("bb", 0.1234, 0.5, "ms", most=0.2)])])  # fmt: skip
    assert shown.splitlines() == [
        "row  figure  unit      peer  ratio  bound",
        "",
        "ONE",
        "a    12,346  a second               >= 10,000  kept",
        "",
        "TWO",
        "bb    0.123  ms         0.5   0.25  <= 0.2x    MISSED",
    ]


def test_a_result_comes_back_as_it_was_kept(tmp_path):
    one = result(beside("x", 1, 2, "ms", most=3), Figure("y", 5.5, "s"), revision="abc+")
    path = save(one, tmp_path)
    assert path.name == "2026-01-02-abc.json"
    assert read(path) == one
    plain = msgspec.json.decode(path.read_bytes())
    assert plain["machine"]["cores"] == 2
    assert plain["parts"][0]["figures"][0]["ratio"] == 0.5


def test_the_latest_result_is_that_of_the_last_day(tmp_path):
    assert latest(tmp_path) is None
    for date in ("2026-01-02", "2026-03-01", "2026-02-09"):
        save(result(date=date), tmp_path)
    found = latest(tmp_path)
    assert found is not None
    assert found.date == "2026-03-01"


def test_ratios_that_moved_are_told():
    before = result(beside("a", 10, 20, "ms"), beside("b", 1, 2, "ms"), Figure("c", 1, "s"))
    after = result(beside("a", 12, 20, "ms"), beside("b", 10, 21, "ms"), Figure("c", 9, "s"))
    assert results.moved(before, after) == ["  a: 0.50, now 0.60"]


def test_the_facts_of_this_machine():
    facts = results.machine()
    assert facts.cores >= 1
    assert facts.processor
    assert facts.python.startswith("CPython 3")
    assert facts.redis[0].isdigit()
    assert facts.appendfsync == "always"


def row(there: tuple[float, ...], here: tuple[float, ...], rising: bool) -> Row:
    return Row("x", "ms", rising, there, here)


@pytest.mark.parametrize(
    ("there", "here", "rising", "worse"),
    [
        ((100, 101, 102), (70, 71, 72), True, True),
        ((100, 101, 102), (70, 71, 72), False, False),
        ((100, 101, 102), (130, 131, 132), False, True),
        ((100, 101, 102), (130, 131, 132), True, False),
        ((100, 101, 102), (93, 94, 95), True, False),  # within the noise
        ((100, 101, 102), (107, 108, 109), False, False),
        ((80, 100, 125), (70, 75, 78), True, False),  # rounds lie too far apart to tell
        ((100, 101, 102), (60, 80, 110), True, False),
        ((100, 100, 100), (100, 100, 100), True, False),
    ],
)
def test_a_loss_counts_beyond_the_noise_and_the_spread(there, here, rising, worse):
    assert row(there, here, rising).worse is worse


def test_which_way_is_better():
    assert direction(Figure("x", 1, "a second")) is True
    assert direction(Figure("x", 1, "a second (some-pair)")) is True
    assert direction(Figure("x", 1, "ms of CPU")) is False
    assert direction(Figure("x", 1, "odd unit", ">= 3")) is True
    assert direction(Figure("x", 1, "odd unit", "<= 3x")) is False
    assert direction(Figure("x", 1, "events")) is None


def test_rows_are_compared_by_their_ratio_and_only_where_both_have_them():
    there = [result(beside("a", 10, 20, "ms"), Figure("b", 5, "s"), Figure("gone", 1, "s"))] * 2
    here = [result(beside("a", 40, 100, "ms"), Figure("b", 6, "s"), Figure("new", 1, "s"))] * 2
    found = list(side_by_side(there, here))
    assert [(one.name, one.there, one.here) for one in found] == [
        ("a", (0.5, 0.5), (0.4, 0.4)),
        ("b", (5, 5), (6, 6)),
    ]
    assert [one.worse for one in found] == [False, True]
    assert "1 of 2 rows got worse" in compare.told("there", found)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with two commits and a bench of its own, changed since."""

    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words]
        return subprocess.run(
            command, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    git("init", "--quiet")
    (tmp_path / "bench").mkdir()
    for text in ("old", "new"):
        (tmp_path / "code.txt").write_text(text)
        (tmp_path / "bench" / "part.txt").write_text(text)
        git("add", ".")
        git("commit", "--quiet", "-m", text)
    (tmp_path / "bench" / "part.txt").write_text("newest")
    monkeypatch.setattr(compare, "ROOT", tmp_path)
    return git


def test_a_revision_is_checked_out_with_the_bench_of_this_checkout(repository):
    with compare.checked_out(compare.resolved("HEAD~1")) as folder:
        assert (folder / "code.txt").read_text() == "old"
        assert (folder / "bench" / "part.txt").read_text() == "newest"
    assert not folder.exists()
    assert len(repository("worktree", "list").splitlines()) == 1


def test_it_is_removed_when_the_comparison_is_broken_off(repository):
    with pytest.raises(KeyboardInterrupt), compare.checked_out("HEAD") as folder:
        raise KeyboardInterrupt
    assert not folder.exists()
    assert len(repository("worktree", "list").splitlines()) == 1


def test_an_unknown_revision_is_named(repository):
    with pytest.raises(click.ClickException, match="nosuch"):
        compare.resolved("nosuch")
    with pytest.raises(click.ClickException):
        compare.resolved("--help")
