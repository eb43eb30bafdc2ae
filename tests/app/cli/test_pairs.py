"""Import, look, review, gate, export: the commands over imported pairs."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.app.cli.conftest import Command, Process, pairs

from bothways.app.desk.keys import KEYS
from bothways.store import open_store


@pytest.fixture
def shop(command: Command, project: Path) -> Command:
    taken = command("import", str(pairs(project)), "--name", "shop", "--attest", "one_change=only the prompt")
    assert taken.exit_code == 0, taken.output
    return command


@pytest.fixture
def money(command: Command, project: Path) -> Command:
    path = pairs(project, high_stakes=True)
    assert command("import", str(path), "--name", "shop", "--attest", "one_change=x").exit_code == 0
    return command


def gate(command: Command, *more: str) -> Any:
    return json.loads(command("gate", "shop", "--json", *more).stdout)


def test_an_import_says_what_came_in(command: Command, project: Path) -> None:
    shown = command("import", str(pairs(project)), "--name", "shop", "--baseline", "v5", "--json")
    assert json.loads(shown.stdout) == {
        "experiment": "shop", "rows": 12, "baseline": "v5", "candidates": ["v4"], "judges": {"j": 24},
        "labels": 0, "reviews": 0,
    }  # fmt: skip


@pytest.mark.parametrize("attest", ["one_change", "one_change= ", "two=x"])
def test_an_attestation_needs_a_reason(command: Command, project: Path, attest: str) -> None:
    assert command("import", str(pairs(project)), "--name", "shop", "--attest", attest).exit_code == 2


def test_the_gate_ships_with_exit_0(shop: Command) -> None:
    shown = shop("gate", "shop")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("SHIP: v5 against v4, by j\n")
    assert gate(shop)["outcomes"]["candidate"] == 12


def test_the_gate_needs_reviews_with_exit_3_and_refuses_to_be_signed(money: Command) -> None:
    assert money("gate", "shop").exit_code == 3
    refused = money("gate", "shop", "--decide", "--reviewer", "kim")
    assert refused.exit_code == 2
    assert json.loads(money("list", "--json").stdout)[0]["decision"] is None


def test_a_decision_is_signed_and_kept(shop: Command) -> None:
    assert shop("gate", "shop", "--decide").exit_code == 2
    assert shop("gate", "shop", "--decide", "--reviewer", "kim", "--note", "fine").exit_code == 0
    decision = json.loads(shop("show", "shop", "--json").stdout)["decisions"][0]
    assert (decision["decision"], decision["reviewer"], decision["note"]) == ("ship", "kim", "fine")
    verified = json.loads(shop("verify", "--json").stdout)
    assert (verified["ok"], verified["broken"], len(verified["decisions"])) == (True, None, 1)


def test_verdicts_from_a_script_count(money: Command) -> None:
    for n in range(12):
        assert money("verdict", "shop", f"r-{n}", "confirm", "--reviewer", "kim").exit_code == 0
    assert money("gate", "shop").exit_code == 0
    reviews = gate(money)["reviews"]
    assert (reviews["required"], reviews["done"], reviews["missing"]) == (12, 12, [])


def test_a_verdict_may_name_the_variant_and_an_override_says_why(shop: Command) -> None:
    assert shop("verdict", "shop", "r-1", "v4", "--reviewer", "kim").exit_code == 2
    told = shop("verdict", "shop", "r-1", "v4", "--reviewer", "kim", "--note", "wrong date", "--json")
    record = json.loads(told.stdout)[0]
    assert (record["verdict"], record["reason"]) == ("baseline", "wrong date")
    row = next(r for r in json.loads(shop("rows", "shop", "--json").stdout) if r["case"] == "r-1")
    assert (row["judge_verdict"], row["human_verdict"], row["final"]) == ("candidate", "baseline", "baseline")


@pytest.mark.parametrize(
    "arguments",
    [
        ["r-1", "confirm"],
        ["r-1", "--reviewer", "kim"],
        ["r-99", "confirm", "--reviewer", "kim"],
        ["r-1", "maybe", "--reviewer", "kim"],
        ["r-1", "--tools", "ok", "--reviewer", "kim"],
    ],
)
def test_a_verdict_that_cannot_be_is_refused(shop: Command, arguments: list[str]) -> None:
    assert shop("verdict", "shop", *arguments).exit_code == 2
    assert json.loads(shop("show", "shop", "--json").stdout)["review_records"] == 0


def test_the_plain_review_walks_the_queue_and_resumes_where_it_was_left(money: Command) -> None:
    first = money("review", "shop", "--plain", "--reviewer", "kim", stdin="c looks right\nnonsense\nl\nq\n")
    assert first.exit_code == 0
    assert "[1/12] r-0" in first.stdout
    assert "v4 shown first: v5. newer" in first.stdout
    assert "--- left: v4 · baseline" in first.stdout
    assert "'nonsense' is no key" in first.stderr
    assert "10 rows left to read; the gate says NEEDS REVIEW." in first.stderr
    second = money("review", "shop", "--plain", "--reviewer", "kim", stdin="c\n" * 10)
    assert "[1/10] r-2" in second.stdout
    assert "0 rows left to read; the gate says SHIP." in second.stderr


def test_the_plain_review_takes_back_and_redoes_on_whichever_row_it_was(money: Command) -> None:
    first = money("review", "shop", "--plain", "--reviewer", "kim", stdin="c\nc\nu\nu\nU\n")
    told = [line for line in first.stderr.replace("> ", "").splitlines() if " by kim" in line]
    assert told == [
        "r-0: confirm by kim", "r-1: confirm by kim", "r-1: undo by kim", "r-0: undo by kim",
        "r-0: redo by kim",
    ]  # fmt: skip
    second = money("review", "shop", "--plain", "--reviewer", "kim", stdin="u\nu\n")
    assert "r-0: undo by kim" in second.stderr
    assert "There is nothing of yours to undo" in second.stderr


def test_the_plain_review_has_the_keys_of_the_desk(money: Command) -> None:
    shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="?\nb\n4 neither\nx\nh\nJ\nk\n")
    for key in KEYS["review"]:
        if "panes" not in key.action and key.id not in (
            "review.pane", "review.gate", "review.onwards",
        ):  # fmt: skip
            assert key.label in shown.stderr
    assert "Overriding the judge needs a reason" in shown.stderr
    assert "r-0: both-bad by kim" in shown.stderr
    assert "--- left: v5 · candidate" in shown.stdout
    assert "r-1: candidate by kim" in shown.stderr


def test_the_plain_review_tells_no_other_verdict_before_the_own_one(money: Command) -> None:
    money("verdict", "shop", "r-0", "confirm", "--reviewer", "ann")
    shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="f r-0\nc\nf r-0\n")
    before, after = shown.stdout.split("1 other has voted.")
    assert "by ann" not in before
    assert "by ann" in after


def test_the_plain_review_asks_why_a_row_is_skipped(money: Command) -> None:
    shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="s\ns ask Ann\n")
    assert "A skip needs a reason" in shown.stderr
    assert "s and why" in shown.stderr
    assert "r-0: skip by kim" in shown.stderr


def test_words_behind_a_key_are_a_note_for_a_note_and_a_reason_otherwise(
    shop: Command, project: Path
) -> None:
    shown = shop("review", "shop", "--plain", "--reviewer", "kim", stdin="h\nh wrong date\nk\nn look here\n")
    assert "Overriding the judge needs a reason: the judge said v5. Type h and why" in shown.stderr
    with open_store(project / "bothways.db") as store:
        said = [record.body for record in store.records("shop", "review")]
    assert [(one["act"], one["reason"], one["note"]) for one in said] == [
        ("verdict", "wrong date", ""), ("note", "", "look here"),
    ]  # fmt: skip


def test_the_plain_review_says_what_only_others_have_decided(money: Command) -> None:
    money("review", "shop", "--plain", "--reviewer", "ann", stdin="c\n" * 12)
    shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="e no difference\nq\n")
    assert "0 rows to read; 12 that others have decided" in shown.stderr
    assert "r-0: ann said v5; yours counts now." in shown.stderr
    for _ in range(2):
        shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="c\n" * 12)
    assert "No row waits for you: all 12 are shown" in shown.stderr


def test_the_plain_review_says_that_a_filter_hides_rows_that_wait(money: Command) -> None:
    shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="/ r-3\nc\n/\nq\n")
    said = [line.removeprefix("> ") for line in shown.stderr.splitlines()]
    assert said[1:] == [
        "1 row.", "r-3: confirm by kim",
        "None of the rows shown waits; 11 others do: / alone shows them. "
        "u takes back, K goes back, q leaves.",
        "12 rows.", "11 rows left to read; the gate says NEEDS REVIEW.",
    ]  # fmt: skip


def test_the_plain_review_says_when_every_row_is_decided(money: Command) -> None:
    shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="c\n" * 12)
    assert shown.stderr.count("Every row of this queue is decided. u takes back, K goes back, q leaves.") == 1
    assert "0 rows left to read" in shown.stderr


def test_a_blind_reader_is_not_told_the_gate_while_rows_wait(money: Command) -> None:
    shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="B\nh\nq\n")
    assert "; the judge: v5\n" in shown.stderr
    assert "11 rows left to read; how the gate stands is not told to a blind reader" in shown.stderr
    assert "the gate says" not in shown.stderr


def test_the_plain_review_hides_names_and_judge_until_the_vote(money: Command) -> None:
    shown = money("review", "shop", "--plain", "--reviewer", "kim", stdin="B\nc\nC\nh\nu\n")
    blind = shown.stdout.split("[2/12]")[1]
    assert "--- left\n" in blind
    for word in ("v4", "v5", "gpt", "baseline", "candidate", "newer", "passes"):
        assert word not in blind
    assert "There is no verdict to confirm: the judge's is hidden. Choose a side." in shown.stderr
    assert "r-1: voted by kim" in shown.stderr
    assert "left is v" in shown.stderr


def test_the_plain_review_is_blind_from_its_first_row_until_that_is_switched_off(money: Command) -> None:
    start = ("review", "shop", "--plain", "--reviewer")
    asked = money(*start, "kim", "--blind", stdin="h\nq\n")
    assert "--- left\n" in asked.stdout.split("[2/12]")[0]
    assert "left is v" in asked.stderr
    remembered = money(*start, "kim", stdin="B\nq\n")
    assert "--- left\n" in remembered.stdout.split("[1/11]")[1]
    assert "Names and judge are shown again." in remembered.stderr
    assert "--- left\n" not in money(*start, "kim", stdin="q\n").stdout
    assert "--- left\n" not in money(*start, "lee", stdin="q\n").stdout


def test_the_plain_review_filters_orders_and_confirms_at_once(shop: Command) -> None:
    keys = "/judge:cand\nC\nC yes\nu\no file\no such\n/ no such thing\nf r-1\n"
    shown = shop("review", "shop", "--plain", "--reviewer", "kim", stdin=keys)
    assert "C yes confirms them unread" in shown.stderr
    assert "rows are confirmed; u takes all of them back." in shown.stderr
    assert "Say o and one of: worst first, deciding first" in shown.stderr
    assert shown.exit_code == 0


def test_the_plain_review_needs_no_screen_library(process: Process) -> None:
    code = "import sys, bothways.app.cli.line_by_line; print({'textual', 'rich'} & {*sys.modules})"
    assert process(code=code).stdout == "set()\n"


def test_the_plain_review_says_why_an_act_is_refused_and_asks_again(shop: Command) -> None:
    shown = shop("review", "shop", "--plain", "--reviewer", "kim", stdin="h\nh wrong date\n")
    assert "Overriding the judge needs a reason" in shown.stderr
    assert "r-0: baseline by kim" in shown.stderr


def test_the_queue_holds_only_what_is_still_to_be_read(money: Command) -> None:
    money("verdict", "shop", "r-3", "confirm", "--reviewer", "kim")
    queued = json.loads(money("rows", "shop", "--queue", "--json").stdout)
    assert "r-3" not in [row["case"] for row in queued]
    assert len(queued) == 11


def test_an_export_imports_again_with_its_reviews(money: Command, project: Path) -> None:
    money("verdict", "shop", "r-3", "tie", "--reviewer", "kim", "--note", "both fine")
    assert money("export", "shop", "-o", "out.jsonl").exit_code == 0
    assert money("import", "out.jsonl", "--name", "again", "--attest", "one_change=x").exit_code == 0
    before, after = (json.loads(money("gate", name, "--json").stdout) for name in ("shop", "again"))
    same = ("outcomes", "passes", "win_rate", "final", "judge_alone", "reviews", "conditions")
    assert {name: before[name] for name in same} == {name: after[name] for name in same}
    assert before["reviews"]["done"] == 1


def test_csv_is_csv(shop: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(shop("export", "shop", "--format", "csv").stdout)))
    assert len(rows) == 24
    assert {row["verdict"] for row in rows} == {"v5"}


def test_an_output_that_cannot_be_written_is_an_error_and_leaves_nothing(
    shop: Command, project: Path
) -> None:
    shown = shop("export", "shop", "-o", "nowhere/out.jsonl")
    assert shown.exit_code == 2
    assert not (project / "nowhere").exists()


def test_a_snapshot_is_written_once(shop: Command, project: Path) -> None:
    shown = shop("snapshot", "shop", "frozen")
    folder = project / shown.stdout.strip()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["variant"], manifest["answers"], manifest["failed"]) == ("v4", 12, 0)
    assert sorted(path.name for path in folder.iterdir()) == ["answers.jsonl", "manifest.json", "tools.jsonl"]
    again = shop("snapshot", "shop", "frozen")
    assert again.exit_code == 2
    assert "never overwritten" in again.stderr


def test_a_snapshot_tells_scripts_where_it_is(shop: Command, project: Path) -> None:
    told = json.loads(shop("snapshot", "shop", "frozen", "--variant", "v5", "--json").stdout)
    assert (told["variant"], told["answers"]) == ("v5", 12)
    assert sorted(told["files"]) == sorted(path.name for path in (project / told["folder"]).iterdir())


def test_verify_names_the_first_broken_record(money: Command, project: Path) -> None:
    money("verdict", "shop", "r-3", "confirm", "--reviewer", "kim")
    behind_the_triggers(project, "UPDATE records SET body = replace(body, 'kim', 'lee')")
    shown = money("verify", "--json")
    assert shown.exit_code == 2
    assert json.loads(shown.stdout)["broken"]["seq"] == 1
    for command in ("gate", "report"):
        assert "record 1 does not hold" in money(command, "shop").stderr
    refused = money("verdict", "shop", "r-4", "confirm", "--reviewer", "kim")
    assert (refused.exit_code, "Record 1 does not hold" in refused.stderr) == (2, True)


def behind_the_triggers(project: Path, statement: str) -> None:
    with sqlite3.connect(project / "bothways.db") as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{trigger}"')
        db.execute(statement)
    db.close()


def validity(command: Command) -> set[str]:
    """What every command says of the one decision on record."""
    listed = json.loads(command("list", "--json").stdout)[0]["validity"]
    shown = json.loads(command("show", "shop", "--json").stdout)["decisions"][0]["validity"]
    report = json.loads(command("report", "shop", "--format", "json").stdout)["on_record"][0]["validity"]
    verified = json.loads(command("verify", "--json").stdout)["decisions"][0]["validity"]
    said = {listed, shown, report, verified, gate(command)["on_record"][0]["validity"]}
    for words in (["list"], ["show", "shop"], ["gate", "shop"], ["report", "shop"]):
        assert listed in command(*words).stdout
    return said


def test_a_signed_decision_stands_until_a_fact_comes_in(shop: Command) -> None:
    assert shop("gate", "shop", "--decide", "--reviewer", "kim").exit_code == 0
    assert validity(shop) == {"stands"}
    shop("verdict", "shop", "r-3", "confirm", "--reviewer", "kim")
    assert validity(shop) == {"superseded"}
    assert shop("verify").exit_code == 0


def test_passes_that_were_altered_behind_a_signature_are_found_by_every_command(
    shop: Command, project: Path
) -> None:
    shop("gate", "shop", "--decide", "--reviewer", "kim")
    behind_the_triggers(project, "UPDATE passes SET choice = 1 - choice WHERE id < 5")
    assert validity(shop) == {"does not follow"}
    shown = shop("verify")
    assert shown.exit_code == 2
    assert "do not follow from their facts" in shown.stderr
    assert "record 1: " in shown.stderr


def written(money: Command) -> dict[str, object]:
    (line,) = [json.loads(line) for line in money("export", "shop").stdout.splitlines() if '"r-0"' in line]
    review: dict[str, object] = line["reviews"][-1]
    return review


def test_the_plain_review_shows_how_a_reason_is_given_and_writes_it_once(money: Command) -> None:
    bare = money("review", "shop", "--plain", "--reviewer", "kim", stdin="h\n")
    assert "Overriding the judge needs a reason: the judge said v5. Type h and why" in bare.stderr
    money("review", "shop", "--plain", "--reviewer", "kim", stdin="h wrong date\n")
    assert (written(money)["reason"], written(money)["note"]) == ("wrong date", "")


def test_the_words_behind_a_key_that_needs_no_reason_are_a_note(money: Command) -> None:
    money("review", "shop", "--plain", "--reviewer", "kim", stdin="c as it should be\n")
    assert (written(money)["reason"], written(money)["note"]) == ("", "as it should be")


def test_a_note_alone_is_recorded_as_a_note(money: Command) -> None:
    assert money("verdict", "shop", "r-0", "--note", "ask Ann", "--reviewer", "kim").exit_code == 0
    assert (written(money)["act"], written(money)["note"]) == ("note", "ask Ann")


def test_a_verdict_without_its_reason_names_the_option(money: Command) -> None:
    shown = money("verdict", "shop", "r-0", "baseline", "--reviewer", "kim")
    assert (shown.exit_code, "Add --reason TEXT." in shown.stderr) == (2, True)


def test_rows_name_the_variants_and_what_people_said_as_the_desk_does(shop: Command) -> None:
    assert (
        shop("verdict", "shop", "r-1", "both-bad", "--reviewer", "kim", "--note", "both guess").exit_code == 0
    )
    table = [line.split("  ") for line in shop("rows", "shop").stdout.splitlines()]
    said = {cell.strip() for line in table[1:] for cell in line[1:] if cell.strip()}
    assert {"win v5", "v5", "both bad"} <= said
    assert not {"candidate", "baseline", "win candidate"} & said


def said(text: str) -> dict[str, str]:
    """Return what stands behind each label."""
    return dict(
        re.split(" {2,}", line.strip(), maxsplit=1) for line in text.splitlines() if "  " in line.strip()
    )


def test_show_counts_rows_and_costs_as_the_report_does(shop: Command) -> None:
    """A verdict, a note and a changed mind are three acts on one row."""
    for words in (
        ["both-bad", "--note", "both guess"],
        ["candidate"],
        ["baseline", "--reason", "wrong date"],
    ):
        assert shop("verdict", "shop", "r-1", *words, "--reviewer", "kim").exit_code == 0
    report, shown = (said(shop(what, "shop").stdout) for what in ("report", "show"))
    assert shown["reviews"] == report["reviews"]
    assert "1 in all" in shown["reviews"]
    (told,) = json.loads(shop("show", "shop", "--json").stdout)["gates"]
    assert (told["reviews"], told["costs"]) == (gate(shop)["reviews"], gate(shop)["costs"])


def test_what_was_spent_here_and_what_the_answers_cost_have_two_names(
    command: Command, project: Path
) -> None:
    assert command("import", str(pairs(project, cost_usd=0.0125)), "--name", "elsewhere").exit_code == 0
    shown = said(command("show", "elsewhere").stdout)
    assert shown["spent"] == "0.0000 USD in 0 calls"
    assert command("run", "experiment.yaml").exit_code == 0
    assert said(command("show", "shop").stdout)["spent"].startswith("unknown in ")
    assert "baseline 0.1500 USD, candidate 0.1500 USD" in shown["cost"]
