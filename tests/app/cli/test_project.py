"""From a spec to a decision, and the runs between."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.app.cli.conftest import REPOSITORY, Command, Process


def test_init_lays_out_a_project_that_checks(command: Command, project: Path) -> None:
    assert command("init", "mine").exit_code == 0
    shown = command("check", "mine/experiment.yaml", "--json")
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["changes"]["v2"]["count"] == 1
    again = command("init", "mine")
    assert again.exit_code == 2
    assert "nothing was written" in again.stderr


def test_check_calls_nobody_and_stores_nothing(command: Command, project: Path) -> None:
    shown = command("check", "experiment.yaml", "--json")
    told = json.loads(shown.stdout)
    assert (told["cases"], told["answers"], told["passes"]) == (3, 6, 6)
    assert not (project / "bothways.db").exists()


def respec(project: Path, old: str, new: str) -> None:
    path = project / "experiment.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_check_says_what_has_no_effect(command: Command, project: Path) -> None:
    respec(project, "judge: {", "judge: {shuffle: true, ")
    shown = command("check", "experiment.yaml", "--json")
    told = [sentence.split()[0] for sentence in json.loads(shown.stdout)["no_effect"]]
    assert told == ["judge.shuffle"]
    assert shown.stderr.count("has no effect yet") == 1


@pytest.mark.parametrize("arguments", [["run", "experiment.yaml"], ["freeze", "experiment.yaml"]])
def test_a_run_says_what_has_no_effect_and_goes_on(
    command: Command, project: Path, arguments: list[str]
) -> None:
    script = {"id": "c4", "first_message": "hi", "persona": "in a hurry", "max_turns": 4}
    with (project / "cases.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps(script) + "\n")
    shown = command(*arguments)
    assert shown.exit_code == 0
    assert "persona (1 case) has no effect yet" in shown.stderr
    assert "max_turns (1 case) has no effect yet" in shown.stderr


def test_check_finds_what_was_tried_on_the_snapshot_under_whatever_name(
    command: Command, project: Path
) -> None:
    command("run", "experiment.yaml")
    itself = command("check", "experiment.yaml")
    assert "this snapshot was tried today by: v5 (this experiment itself)" in itself.stdout
    respec(project, "name: shop\n", "name: second\n")
    respec(project, 'name: v5, function: "agent:new"', 'name: v6, function: "agent:new", params: {a: 1}')
    second = command("check", "experiment.yaml")
    assert "this snapshot was tried today by: v5 (shop)\n" in second.stdout
    told = json.loads(command("check", "experiment.yaml", "--json").stdout)["tried_today"]
    assert told == [{"experiment": "shop", "candidate": "v5", "itself": False}]


def test_an_edited_candidate_under_its_old_name_was_tried_before(command: Command, project: Path) -> None:
    command("run", "experiment.yaml")
    respec(project, 'name: v5, function: "agent:new"', 'name: v5, function: "agent:new", params: {a: 1}')
    assert "tried today by: v5 (shop)\n" in command("check", "experiment.yaml").stdout


def test_another_baseline_was_not_tried(command: Command, project: Path) -> None:
    command("run", "experiment.yaml")
    respec(project, "agent:old", "agent:new")
    assert "tried today" not in command("check", "experiment.yaml").stdout


def test_check_says_no_figure_that_it_does_not_have(command: Command) -> None:
    told = json.loads(command("check", "experiment.yaml", "--json").stdout)
    assert (told["cost_usd"], told["unpriced"]) == (None, ["v4", "v5", "j"])
    assert told["detectable_win_rate"] is None
    shown = command("check", "experiment.yaml").stdout
    assert "cost: unknown (no price known for v4, v5, j)" in shown
    assert "cases: 3 are too few" in shown


def test_what_is_answered_and_judged_already_is_left_out_of_what_is_left(
    command: Command, project: Path
) -> None:
    command("run", "experiment.yaml")
    left = json.loads(command("check", "experiment.yaml", "--json").stdout)["left"]
    assert (left["answers"], left["passes"], left["cost_usd"]) == (0, 0, 0)
    assert "there: all of it" in command("check", "experiment.yaml").stdout
    respec(project, 'name: v5, function: "agent:new"', 'name: v6, function: "agent:new", params: {a: 1}')
    left = json.loads(command("check", "experiment.yaml", "--json").stdout)["left"]
    assert (left["answers"], left["passes"]) == (3, 6)
    assert "there: 3 answers and 0 passes; 9 (3 answers, 6 passes) are left" in (
        command("check", "experiment.yaml").stdout
    )


def test_another_judge_leaves_the_answers_as_they_are(command: Command, project: Path) -> None:
    command("run", "experiment.yaml")
    respec(project, "{name: j, ", "{name: k, version: two, ")
    left = json.loads(command("check", "experiment.yaml", "--json").stdout)["left"]
    assert (left["answers"], left["passes"]) == (0, 6)


def test_check_says_when_what_an_experiment_follows_is_not_there(command: Command, project: Path) -> None:
    command("run", "experiment.yaml")
    respec(project, "name: shop\n", "name: second\nfollows: shop\n")
    assert "it follows" not in command("check", "experiment.yaml").stderr
    respec(project, "follows: shop\n", "follows: shpo\n")
    assert "it follows shpo, which is not in this database" in command("check", "experiment.yaml").stderr


def test_check_shows_the_lines_that_differ_where_they_are_few(command: Command, project: Path) -> None:
    command("init", "mine")
    shown = command("check", "mine/experiment.yaml").stdout
    assert "-Be helpful and explain everything that might matter.\n" in shown
    long = "".join(f"line {n}\n" for n in range(50))
    (project / "mine" / "prompts" / "v2.md").write_text(long, encoding="utf-8")
    assert "lines of difference: --diff shows them" in command("check", "mine/experiment.yaml").stdout
    assert "+line 49" in command("check", "mine/experiment.yaml", "--diff").stdout


def test_a_run_tells_scripts_how_it_ended(command: Command) -> None:
    froze = json.loads(command("freeze", "experiment.yaml", "--json").stdout)
    ran = json.loads(command("run", "experiment.yaml", "--json").stdout)
    assert (froze["experiment"], froze["state"], froze["answered"], froze["judged"]) == (
        "shop",
        "complete",
        3,
        0,
    )
    assert (ran["state"], ran["answered"], ran["judged"], ran["left"]) == ("complete", 3, 6, 0)


@pytest.mark.parametrize("name", ["run", "freeze"])
def test_two_kinds_of_json_on_one_stdout_are_refused(command: Command, project: Path, name: str) -> None:
    assert command(name, "experiment.yaml", "--events", "--json").exit_code == 2
    assert not (project / "bothways.db").exists()


def test_a_wrong_spec_leaves_no_database(command: Command, project: Path) -> None:
    (project / "experiment.yaml").write_text("name: x\ncandidate: []\n", encoding="utf-8")
    shown = command("run", "experiment.yaml")
    assert shown.exit_code == 2
    assert "experiment.yaml:2" in shown.stderr
    assert not (project / "bothways.db").exists()


def test_a_function_that_is_not_there_leaves_no_database(command: Command, project: Path) -> None:
    respec(project, "agent:judge", "agent:jude")
    for name in ("check", "run"):
        shown = command(name, "experiment.yaml")
        assert shown.exit_code == 2
        assert "judge (did you mean that?)" in shown.stderr
    assert not (project / "bothways.db").exists()


def test_what_a_recording_lacks_is_said_before_the_run_and_no_second_try_is_advised(
    command: Command, project: Path
) -> None:
    (project / "old.jsonl").write_text('{"case": "c1", "text": "Old"}\n{"case": "c2", "text": "Old"}\n')
    respec(project, 'function: "agent:old"', "replay: old.jsonl")
    lacking = "the recording of v4 lacks 1 of 3 cases: c3"
    checked = command("check", "experiment.yaml")
    assert lacking in checked.stderr
    assert "all valid" not in checked.stdout
    shown = command("run", "experiment.yaml")
    assert (shown.exit_code, lacking in shown.stderr) == (5, True)
    assert "1 unit failed; 1 not in the recording" in shown.stderr
    assert "run again" not in shown.stderr


def test_freeze_answers_for_the_baseline_alone(command: Command) -> None:
    assert command("freeze", "experiment.yaml").exit_code == 0
    progress = json.loads(command("show", "shop", "--json").stdout)["progress"]
    assert progress["answers"]["done"] == 3
    assert progress.get("passes", {}).get("done", 0) == 0


def test_a_run_does_what_is_missing_and_nothing_twice(command: Command) -> None:
    command("freeze", "experiment.yaml")
    first = command("run", "experiment.yaml")
    assert first.exit_code == 0
    assert "complete: 3 answers, 6 passes, 9 calls" in first.stderr
    assert "complete: 0 answers, 0 passes, 0 calls" in command("run", "shop").stderr
    assert first.stdout == ""


def test_what_failed_ends_the_run_with_5_and_is_tried_again(command: Command, project: Path) -> None:
    cases = (project / "cases.jsonl").read_text(encoding="utf-8")
    (project / "cases.jsonl").write_text(cases.replace("Where is 9?", "please fail"), encoding="utf-8")
    first = command("run", "experiment.yaml")
    assert first.exit_code == 5
    assert "no idea" in first.stderr
    again = command("run", "shop", "--retry-failed")
    assert again.exit_code == 5
    assert "failed: 0 answers" in again.stderr


def test_only_and_limit_narrow_a_run(command: Command) -> None:
    assert "2 passes" in command("run", "experiment.yaml", "--only", "c2").stderr
    assert "complete (2 of 3 rows): 2 answers, 2 passes" in command("run", "shop", "--limit", "1").stderr


def test_events_are_json_lines_on_stdout(process: Process) -> None:
    shown = process("run", "experiment.yaml", "--events")
    events = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [event["kind"] for event in (events[0], events[-1])] == ["started", "ended"]
    assert sum(event["kind"] == "judged" for event in events) == 6


def test_a_closed_pipe_never_stops_a_run(process: Process, project: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-P", "-m", "bothways", "run", "experiment.yaml", "--events"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    running.stderr.close()
    assert running.wait(60) == 0
    assert json.loads(process("show", "shop", "--json").stdout)["progress"]["passes"]["done"] == 6


SLOW = """
import time, pathlib
def old(asked):
    pathlib.Path("started").touch()
    while not pathlib.Path("go on").exists():
        time.sleep(0.01)
    return "Old"
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_cleanly_with_5(
    process: Process, project: Path, number: signal.Signals
) -> None:
    running = _slow(project)
    running.send_signal(number)
    assert running.stderr is not None
    assert "stopping" in running.stderr.readline()
    (project / "go on").touch()
    _, talk = running.communicate(timeout=60)
    assert running.returncode == 5, talk
    assert "Go on with: bothways run shop" in talk
    assert "Traceback" not in talk
    done = json.loads(process("show", "shop", "--json").stdout)["progress"]["answers"]["done"]
    assert done == 1


def test_the_second_signal_ends_at_once(project: Path) -> None:
    running = _slow(project)
    running.send_signal(signal.SIGINT)
    assert running.stderr is not None
    assert "stopping" in running.stderr.readline()
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 130
    running.communicate()


def _slow(project: Path) -> subprocess.Popen[str]:
    """Start a run of one call at a time and come back when the first is in flight: it waits for `go on`."""
    agent = (project / "agent.py").read_text(encoding="utf-8")
    (project / "agent.py").write_text(agent + SLOW, encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, "-P", "-m", "bothways", "freeze", "experiment.yaml", "--concurrency", "1"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (project / "started").exists():
        assert running.poll() is None, running.communicate()[1]
        time.sleep(0.01)
    return running


def test_demo_runs_the_sample_by_replay_and_prints_the_reports(command: Command, project: Path) -> None:
    shown = command("demo", "sample", "--headless")
    assert shown.exit_code == 0, shown.output
    names = {
        one["experiment"]
        for one in json.loads(command("list", "--db", "sample/bothways.db", "--json").stdout)
    }
    assert {"plain-text-line", "shipping-tool", "refund-flow"} <= names
    assert "refund-flow" in shown.stdout
