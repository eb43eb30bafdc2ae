"""What `agreement` and `judges` print: people beside the judge, beside each other, and judges over time."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.app.cli.conftest import SPEC, Command, pairs


@pytest.fixture
def reviewed(command: Command, project: Path) -> Command:
    """Twelve rows that the judge gave to v5; kim and lee read two of them and differ on one."""
    assert command("import", str(pairs(project)), "--name", "shop").exit_code == 0
    for case, verdict, who in (
        ("r-0", "confirm", "kim"), ("r-0", "candidate", "lee"),
        ("r-1", "baseline", "kim"), ("r-1", "both-bad", "lee"),
    ):  # fmt: skip
        said = command("verdict", "shop", case, verdict, "--reviewer", who, "--note", "\x1b[2J read")
        assert said.exit_code == 0, said.output
    return command


def as_json(command: Command, *arguments: str) -> Any:
    shown = command(*arguments, "--json")
    assert shown.exit_code == 0, shown.output
    return json.loads(shown.stdout)


def test_agreement_compares_the_judge_with_each_reviewer(reviewed: Command) -> None:
    found = as_json(reviewed, "agreement", "shop")["judge_vs_reviewers"]
    assert [(one["reviewer"], one["all"]["n"], one["all"]["agree"]) for one in found] == [
        ("kim", 2, 1), ("lee", 2, 1),
    ]  # fmt: skip
    assert [one["blind"]["n"] for one in found] == [0, 0]


def test_agreement_lists_the_rows_on_which_reviewers_differ(reviewed: Command) -> None:
    (row,) = as_json(reviewed, "agreement", "shop")["disagreements"]
    assert (row["case"], row["judge"]) == ("r-1", "candidate")
    assert [(one["reviewer"], one["verdict"], one["both_bad"]) for one in row["said"]] == [
        ("kim", "baseline", False), ("lee", "tie", True),
    ]  # fmt: skip
    shown = reviewed("agreement", "shop").stdout
    assert "r-1               v5         v5     kim: v4, lee: both bad" in shown
    assert "kim, judge in view" in shown


def test_judges_shows_each_experiment_of_each_judge(reviewed: Command) -> None:
    (judge,) = as_json(reviewed, "judges")["judges"]
    assert (judge["judge"], judge["flips_more"], judge["flips_more_p"]) == ("j", False, None)
    (one,) = judge["experiments"]
    assert (one["experiment"], one["rows"], one["flip_rate"], one["unreadable_rate"]) == ("shop", 12, 0, 0)
    assert (one["first_shown"], one["people"]["n"]) == ({"named": 12, "of": 24, "rate": 0.5}, 2)
    assert reviewed("judges").stdout.splitlines()[0] == "j"


def test_judges_tells_rows_that_were_confirmed_in_bulk_from_rows_that_people_read(reviewed: Command) -> None:
    done = reviewed("review", "shop", "--plain", "--reviewer", "ann", stdin="C yes\nq\n")
    assert "10 rows are confirmed" in done.stderr
    (one,) = as_json(reviewed, "judges")["judges"][0]["experiments"]
    assert (one["people"]["n"], one["people"]["unread"]) == (2, 10)
    assert "0.500 of 2, 10 in bulk, unread" in reviewed("judges").stdout


def test_without_a_judge_it_is_said_what_to_do(command: Command, project: Path) -> None:
    path = project / "unjudged.jsonl"
    path.write_text('{"pair_id": "1", "a": {"text": "x"}, "b": {"text": "y"}}\n', encoding="utf-8")
    assert command("import", str(path), "--name", "unjudged").exit_code == 0
    shown = command("judges")
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert "Run a spec that has one" in shown.stderr
    assert as_json(command, "judges") == {"judges": []}


@pytest.mark.parametrize("name", ["Kim", "k.im", "KIM "])
def test_a_name_that_looks_like_another_reviewers_is_pointed_out(reviewed: Command, name: str) -> None:
    said = reviewed("verdict", "shop", "r-2", "confirm", "--reviewer", name)
    assert (said.exit_code, "is not kim: they count as two people" in said.stderr) == (0, True)


def test_a_name_is_trimmed_and_what_cannot_be_seen_in_it_is_refused(reviewed: Command) -> None:
    (record,) = as_json(reviewed, "verdict", "shop", "r-2", "confirm", "--reviewer", " kim ")
    assert record["reviewer"] == "kim"
    refused = reviewed("verdict", "shop", "r-3", "confirm", "--reviewer", "kim\u200b")
    assert refused.exit_code == 2
    assert "cannot be seen" in refused.stderr


@pytest.mark.parametrize(
    ("review", "votes", "by"),
    [
        ("policy: adjudicator, adjudicator: boss", "kim:baseline lee:both-bad boss:tie mia:both-bad", "boss"),
        ("policy: majority", "kim:tie lee:both-bad boss:tie mia:both-bad", "boss"),
        ("policy: latest", "kim:both-bad mia:tie", "mia"),
    ],
    ids=["adjudicator", "majority", "latest"],
)
def test_a_tie_that_counts_is_a_tie_everywhere_and_of_the_one_who_gave_it(
    command: Command, project: Path, review: str, votes: str, by: str
) -> None:
    (project / "experiment.yaml").write_text(f"{SPEC}review: {{{review}}}\n", encoding="utf-8")
    assert command("run", "experiment.yaml").exit_code == 0
    for who, verdict in (vote.split(":") for vote in votes.split()):
        assert command("verdict", "shop", "c2", verdict, "--reviewer", who, "--reason", "r").exit_code == 0
    command("export", "shop", "--format", "csv", "-o", "rows.csv")
    with (project / "rows.csv").open(encoding="utf-8", newline="") as lines:
        said = {(r["human_verdict"], r["reviewer"]) for r in csv.DictReader(lines) if r["case"] == "c2"}
    assert said == {("tie", by)}
    (row,) = (one for one in as_json(command, "rows", "shop") if one["case"] == "c2")
    assert (row["human_verdict"], row["reviewer"]) == ("tie", by)
    assert json.loads(command("report", "shop", "--format", "json").stdout)["fix_list"] == []
    assert "- counts: tie" in command("report", "shop", "--format", "markdown").stdout
    assert "Left out: 1 (tie)" in command("export", "shop", "--format", "dpo", "-o", "p.jsonl").stderr


def test_where_nothing_counts_no_one_is_named_as_its_reviewer(command: Command, project: Path) -> None:
    (project / "experiment.yaml").write_text(f"{SPEC}review: {{policy: majority}}\n", encoding="utf-8")
    assert command("run", "experiment.yaml").exit_code == 0
    for who, verdict in (("kim", "candidate"), ("lee", "baseline")):
        command("verdict", "shop", "c2", verdict, "--reviewer", who, "--reason", "r")
    (row,) = (one for one in as_json(command, "rows", "shop") if one["case"] == "c2")
    assert (row["human_verdict"], row["reviewer"]) == (None, None)
