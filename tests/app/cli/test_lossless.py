"""An experiment that was run, exported and imported elsewhere: its gate says the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.app.cli.conftest import REPOSITORY, Command

SAMPLES = REPOSITORY / "sample_data"
SAID = (
    "decision", "rows", "passes", "outcomes", "flip_rate", "first_shown_rate", "win_rate", "sign_test_p",
    "e_value", "false_ship_chance", "close", "final", "judge_alone", "reviews", "nights", "takes",
)  # fmt: skip

TWO = """
name: shop
cases: cases.jsonl
baseline: {name: v4, function: "agent:old"}
candidates: [{name: v5, function: "agent:new"}, {name: v6, function: "agent:newer"}]
judge: {name: j, function: "agent:judge"}
attest: {one_change: only the greeting}
review: {high_stakes: {tags: [shipping]}}
"""


def gate(command: Command, db: str, name: str, *more: str) -> dict[str, Any]:
    """Return what the gate says, but for whether the variants differ in one place only."""
    shown = command("--db", db, "gate", name, "--json", *more)
    found = json.loads(shown.stdout)
    conditions = [one for one in found["conditions"] if one["name"] != "one_change"]
    return {name: found.get(name) for name in SAID} | {"conditions": conditions}


def carried(command: Command, name: str) -> None:
    """Export an experiment of `home.db` and import it into `away.db` under another name."""
    exported = command("--db", "home.db", "export", name, "-o", "out.jsonl")
    assert exported.exit_code == 0, exported.output
    taken = command("--db", "away.db", "import", "out.jsonl", "--name", "away", "--attest", "one_change=x")
    assert taken.exit_code == 0, taken.output


def run(command: Command, spec: Path, *more: str) -> None:
    shown = command("--db", "home.db", "run", str(spec), *more)
    assert shown.exit_code == 0, shown.output


@pytest.mark.parametrize("name", ["plain-text-line", "plain-text-narrow", "refund-flow", "shipping-tool"])
def test_a_sample_with_nights_takes_and_reviews_says_the_same_elsewhere(command: Command, name: str) -> None:
    spec = SAMPLES / f"{name}.yaml"
    run(command, spec)
    rows = json.loads(command("--db", "home.db", "rows", name, "--json").stdout)
    acts = ("candidate", "baseline", "tie", "both-bad", "confirm", "skip", "undo", "clear", "redo")
    for place, row in enumerate(rows):
        said = [acts[place % 9], acts[place % 4], "undo"][: 1 + place % 3]
        for act in said:
            command("--db", "home.db", "verdict", name, row["case"], act, "--reviewer", "kim", "--note", "n")
        command("--db", "home.db", "verdict", name, row["case"], "--tools", "ok", "--reviewer", "lee")
    for more in ((), ("--again",), ("--rejudge",)):
        if more:
            run(command, spec, *more)
        before = gate(command, "home.db", name)
        carried(command, name)
        assert gate(command, "away.db", "away") == before
        Path("away.db").unlink()
    assert (before["nights"], before["takes"]) == (2, 2)
    assert before["reviews"]["done"] > 0


def test_several_candidates_come_back_as_the_same_rows(command: Command, project: Path) -> None:
    (project / "experiment.yaml").write_text(TWO, encoding="utf-8")
    with (project / "agent.py").open("a", encoding="utf-8") as agent:
        agent.write('\n\ndef newer(asked):\n    return "Newest: " + asked["input"]\n')
    run(command, project / "experiment.yaml")
    run(command, project / "experiment.yaml", "--again")
    command(
        "--db",
        "home.db",
        "verdict",
        "shop",
        "c1",
        "tie",
        "--candidate",
        "v6",
        "--reviewer",
        "kim",
        "--note",
        "n",
    )
    carried(command, "shop")
    for candidate in ("v5", "v6"):
        before = gate(command, "home.db", "shop", "--candidate", candidate)
        assert gate(command, "away.db", "away", "--candidate", candidate) == before
    shown = [
        json.loads(command("--db", db, "show", name, "--json").stdout)
        for db, name in (("home.db", "shop"), ("away.db", "away"))
    ]
    assert shown[0]["review_records"] == shown[1]["review_records"] == 1
