"""A whole sitting by keyboard alone in a real terminal, and what stands in the file after it."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Literal

import pexpect
import pytest
from click.testing import CliRunner
from tests.app.walk import Session
from tests.journeys.project import REPOSITORY, Project
from tests.shared import DATA, needs_data

from bothways.app.cli.group import cli
from bothways.engine.facts import JsonObject

pytestmark = [pytest.mark.slow, pytest.mark.terminal]

SIZES = ((24, 80), (50, 160))

WRITES = (
    "modify_pending_order_items", "modify_pending_order_address", "modify_pending_order_payment",
    "modify_user_address", "return_delivered_order_items", "exchange_delivered_order_items",
    "cancel_pending_order", "transfer_to_human_agents",
)  # fmt: skip


def desk(folder: Path, size: tuple[int, int], *arguments: str) -> Session:
    """Start `bothways …` in a terminal of its own, in a folder."""
    env = {
        **os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(REPOSITORY / "src"),
        "XDG_STATE_HOME": str(folder / "state"), "BOTHWAYS_SETTINGS": str(folder / "settings.yaml"),
        "BOTHWAYS_REVIEWER": "kim",
    }  # fmt: skip
    command = ["-P", "-m", "bothways", *arguments]
    child: pexpect.spawn[bytes] = pexpect.spawn(
        sys.executable, command, env=env, dimensions=size, cwd=str(folder), timeout=120
    )
    return Session(child)


def records(project: Project, experiment: str, kind: Literal["review", "decision"]) -> list[JsonObject]:
    """Return what stands on record, after the chain was found whole."""
    with project.store() as store:
        assert store.broken() is None
        return [record.body for record in store.records(experiment, kind)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_from_the_demo_to_a_signed_decision(tmp_path: Path, size: tuple[int, int]) -> None:
    project = Project(tmp_path / "shop")
    sitting = desk(tmp_path, size, "demo", "shop")
    sitting.until("rows wait", within_s=120)
    required = set(project.gate("plain-text-line")["reviews"]["missing"])
    assert project.ask("gate", "plain-text-line").code == 3
    sitting.press("nseen\r")
    sitting.press("slater\r")  # the first row is skipped, for a reason, and comes back with k
    sitting.press("kcuU")  # confirmed, taken back, and confirmed again
    sitting.press("j" + "c" * (len(required) - 1))
    for key, comes in (
        ("g", "money paths"),
        ("s", "your name"),
        ("\x13", "Record DO NOT"),  # ctrl+s: the name is known, so enter is one more line of the note
        ("y", "Signed by"),
    ):
        sitting.child.send(key)
        sitting.until(comes)
    sitting.press("q")
    assert sitting.ended() == 0

    said = records(project, "plain-text-line", "review")
    acts = Counter(body["act"] for body in said)
    assert acts == {"note": 1, "skip": 1, "confirm": len(required), "undo": 1, "redo": 1}
    assert {body["case"] for body in said if body["act"] == "confirm"} == required
    assert {body["reviewer"] for body in said} == {"kim"}
    (decision,) = records(project, "plain-text-line", "decision")
    assert (decision["decision"], decision["reviewer"]) == ("do_not_ship", "kim")
    assert project.gate("plain-text-line")["reviews"]["missing"] == []
    assert project.ask("gate", "plain-text-line").code == 1
    assert project.ask("verify").code == 0


@needs_data
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_real_conversations_are_read_signed_and_judged(tmp_path: Path, size: tuple[int, int]) -> None:
    project = Project(tmp_path)
    writing = [word for tool in WRITES for word in ("--writes", tool)]
    taken = project.ask(
        "import",
        str(DATA / "tau2_retail40.jsonl"),
        "--name",
        "tau2",
        "--baseline",
        "gpt-4.1 (baseline)",
        *writing,
    )
    assert taken.code == 0, taken.err
    unsigned = project.gate("tau2")["reviews"]["tool_diffs_unsigned"]
    sitting = desk(tmp_path, size, "review", "tau2")
    sitting.until("rows wait")
    sitting.press("\t\t\tddmmmM")  # pages, differences, each side alone, Markdown
    sitting.press("t\r")  # the other calls of the first row are right
    sitting.press("l")  # and so is its answer
    sitting.press("jh")
    sitting.press("q")
    assert sitting.ended() == 0

    said = records(project, "tau2", "review")
    assert [(body["act"], body.get("signed"), body.get("verdict")) for body in said] == [
        ("tools", "ok", None), ("verdict", None, "candidate"), ("verdict", None, "baseline"),
    ]  # fmt: skip
    assert [body["case"] for body in said[:2]] == [unsigned[0]] * 2
    assert project.gate("tau2")["reviews"]["tool_diffs_unsigned"] == unsigned[1:]
    assert project.ask("gate", "tau2").code == 1  # one vote for the baseline, one against: 50 %
    assert project.ask("verify").code == 0


def test_line_by_line_the_same_sitting_needs_no_screen(tmp_path: Path) -> None:
    project = Project(tmp_path / "shop")
    assert project.ask("demo", str(project.folder), "--headless").code == 0
    required = project.gate("plain-text-line")["reviews"]["missing"]
    lines = ["n seen", "s later", "k", "c", "u", "U", "j", *["c"] * (len(required) - 1), "q"]
    done = CliRunner().invoke(
        cli,
        ["review", "--db", str(project.db), "plain-text-line", "--plain", "--reviewer", "kim"],
        input="".join(f"{line}\n" for line in lines),
    )
    assert done.exit_code == 0, done.output
    said = records(project, "plain-text-line", "review")
    acts = Counter(body["act"] for body in said)
    assert acts == {"note": 1, "skip": 1, "confirm": len(required), "undo": 1, "redo": 1}
    assert {body["case"] for body in said if body["act"] == "confirm"} == set(required)
    signed = project.ask("gate", "plain-text-line", "--decide", "--reviewer", "kim")
    assert signed.code == 1
    assert [body["decision"] for body in records(project, "plain-text-line", "decision")] == ["do_not_ship"]
    assert project.ask("verify").code == 0
