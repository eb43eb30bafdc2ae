from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from pydantic import BaseModel
from tests.app.drafts import filled

from bothways.app.desk.new.draft import Draft
from bothways.app.desk.new.prefill import free_name, from_spec, from_stored
from bothways.app.desk.new.saving import stands_in_the_way, write_spec
from bothways.app.desk.state import Memory
from bothways.engine.errors import UsageError
from bothways.engine.experiment import Experiment, Judge, Variant
from bothways.engine.spec.load import load_spec
from bothways.sample_data import lay_out


def written(draft: Draft) -> Path:
    return write_spec(draft.path, draft.text())


def test_a_draft_of_a_few_lines_is_a_spec(shop: Path) -> None:
    draft = filled(
        shop, name="x", file="x.yaml", cases="cases.jsonl", baseline__name="v1", baseline__model="m"
    )
    draft.put("candidates[0].name", "v2")
    draft.put("candidates[0].prompt", "prompts/v2.md")
    draft.put("judge.source", "nobody")
    draft.put("review.high_stakes.tags", "refund, checkout")
    draft.put("run.budget_usd", "2.5")
    experiment, cases = load_spec(written(draft))
    assert (experiment.name, len(cases), experiment.judge) == ("x", 4, None)
    assert experiment.candidates[0].prompt.startswith("You answer customers")
    assert experiment.review.high_stakes_tags == ("refund", "checkout")
    assert experiment.run.budget_usd == 2.5


def test_what_is_hidden_because_something_else_was_chosen_is_kept_and_not_written(shop: Path) -> None:
    draft = filled(shop, name="x", baseline__name="v1", baseline__model="m", baseline__endpoint="http://e")
    draft.put("baseline.source", "function")
    draft.put("baseline.function", "agent:answer")
    assert "endpoint" not in draft.text()
    draft.put("baseline.source", "")
    assert "endpoint: http://e" in draft.text()


def test_a_candidate_taken_away_leaves_the_others_in_their_order(shop: Path) -> None:
    draft = filled(shop)
    for number, name in enumerate(("v2", "v3", "v4")):
        if number:
            draft.add_candidate()
        draft.put(f"candidates[{number}].name", name)
    assert draft.remove_candidate(1)
    assert [draft.values.get(f"candidates[{n}].name") for n in range(3)] == ["v2", "v4", None]
    assert draft.remove_candidate(0)
    assert not draft.remove_candidate(0)
    assert [field.path for field in draft.fields if field.path.endswith("].name")] == ["candidates[0].name"]


@pytest.mark.parametrize("count", ["", "0", "-1", "x", "²"])
def test_a_count_that_is_none_is_one_candidate(tmp_path: Path, count: str) -> None:
    draft = filled(tmp_path, candidates=count)
    assert [one.path for one in draft.fields if one.path.endswith("].name")] == ["candidates[0].name"]


def test_a_draft_outlives_the_sitting(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "desk.json")
    Draft(memory.place("new", "x.db", "folder"), tmp_path).put("name", "half \x1b[2J done")
    memory.write()
    again = Draft(Memory.read(tmp_path / "desk.json").place("new", "x.db", "folder"), tmp_path)
    assert again.values == {"name": "half \x1b[2J done"}


SPECS = ("refund-flow", "plain-text-line", "plain-text-narrow", "shipping-tool")


@pytest.mark.parametrize("name", SPECS)
def test_a_spec_taken_over_from_its_file_asks_for_the_same(tmp_path: Path, name: str) -> None:
    lay_out(tmp_path)
    draft = filled(tmp_path)
    draft.fill({**from_spec(tmp_path / f"{name}.yaml"), "file": "again.yaml"})
    assert load_spec(written(draft))[0].digest == load_spec(tmp_path / f"{name}.yaml")[0].digest


@pytest.mark.parametrize("name", SPECS)
def test_a_stored_experiment_taken_over_asks_for_the_same_answers_and_verdicts(
    tmp_path: Path, name: str
) -> None:
    lay_out(tmp_path)
    stored, _ = load_spec(tmp_path / f"{name}.yaml")
    draft = filled(tmp_path)
    draft.fill({**from_stored(stored, tmp_path), "name": name, "file": "again.yaml", "cases": "cases.jsonl"})
    again, _ = load_spec(written(draft))
    assert [one.digest for one in again.variants] == [one.digest for one in stored.variants]
    assert [again.judge and again.judge.digest] == [stored.judge and stored.judge.digest]
    assert (again.review, again.gate) == (stored.review, stored.gate)


JUDGES = (
    """{name: j, model: m, endpoint: "http://e", version: "1.10", prompt_text: "Which? {a} {b} {criteria}",
    criteria: [kind], temperature: null, max_tokens: 50, params: {seed: 1}, swap: false, shuffle: false,
    allow_tie: false, golden: none, show: [cost]}""",
    "{name: j, function: 'agent:judge', criteria: [kind], max_tokens: 50}",
    "{name: j, replay: said.jsonl, model: m, endpoint: 'http://e', temperature: 1.5, show: [duration]}",
)
VARIANTS = (
    """{name: v, model: m, endpoint: "http://e", prompt_text: "a\\nb", tools: tools.yaml, tool_module: agent,
    max_tool_rounds: 3, params: {temperature: 0.2, seed: 7}}""",
    "{name: v, http: {url: 'http://e', text: said}, version: '1.10'}",
    "{name: v, function: 'agent:answer'}",
    "{name: v, command: [sh, -c, 'echo $1'], version: '2'}",
    "{name: v, replay: said.jsonl, model: m, endpoint: 'http://e'}",
)


def followed(shop: Path, baseline: str, candidate: str, judge: str) -> tuple[Experiment, Experiment]:
    """Return an experiment, and the one that follows it, made of nothing but what is stored of the first."""
    (shop / "agent.py").write_text("def answer(case): ...\ndef judge(case): ...\n")
    (shop / "said.jsonl").write_text("{}\n")
    (shop / "tools.yaml").write_text("- {name: refund, writes: true}\n")
    spec = f"name: x\ncases: cases.jsonl\nbaseline: {baseline}\ncandidates: [{candidate}]\njudge: {judge}\n"
    (shop / "x.yaml").write_text(spec)
    stored, _ = load_spec(shop / "x.yaml")
    draft = filled(shop)
    draft.fill({**from_stored(stored, shop), "name": "x", "file": "again.yaml", "cases": "cases.jsonl"})
    again, _ = load_spec(written(draft))
    return stored, again


def stated(models: Iterable[BaseModel | None]) -> set[str]:
    """Return the fields in which any of these is not as it is without a word."""
    return {name for one in models if one is not None for name in one.model_dump(exclude_defaults=True)}


def test_a_judge_is_taken_over_in_every_field_that_it_has(shop: Path) -> None:
    pairs = [followed(shop, VARIANTS[0], "{name: w}", judge) for judge in JUDGES]
    assert stated(stored.judge for stored, _ in pairs) == set(Judge.model_fields)
    assert [again.judge for _, again in pairs] == [stored.judge for stored, _ in pairs]


def test_a_variant_is_taken_over_in_every_field_that_it_has(shop: Path) -> None:
    pairs = [followed(shop, variant, "{name: w, model: n}", JUDGES[0]) for variant in VARIANTS]
    assert stated(stored.baseline for stored, _ in pairs) == set(Variant.model_fields)
    assert [again.variants for _, again in pairs] == [stored.variants for stored, _ in pairs]


def test_what_a_candidate_takes_away_from_the_baseline_stays_away(shop: Path) -> None:
    less = "{name: w, tools: null, tool_module: null, max_tool_rounds: null, params: {seed: null, top_p: 1}}"
    stored, again = followed(shop, VARIANTS[0], less, JUDGES[0])
    assert again.candidates == stored.candidates


def test_what_has_no_line_of_its_own_is_taken_over_too(shop: Path) -> None:
    path = shop / "experiment.yaml"
    text = path.read_text(encoding="utf-8").replace("judge:\n", "judge:\n  swap: false\n  criteria: [kind]\n")
    path.write_text(text, encoding="utf-8")
    draft = filled(shop)
    draft.fill({**from_spec(path), "file": "again.yaml"})
    assert load_spec(written(draft))[0].digest == load_spec(path)[0].digest


@pytest.mark.parametrize(
    ("name", "taken", "free"),
    [
        ("short answers", ["short answers"], "short answers 2"),
        ("short answers", ["short answers", "short answers 2"], "short answers 3"),
        ("shipping-tool-1", ["shipping-tool-1"], "shipping-tool-2"),
        ("shop", ["shop"], "shop-2"),
    ],
)
def test_a_follower_has_the_next_free_name(name: str, taken: list[str], free: str) -> None:
    assert free_name(name, taken) == free


def test_a_file_that_says_something_else_stands_in_the_way(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    assert not stands_in_the_way(path, "a")
    path.write_text("a", encoding="utf-8")
    assert not stands_in_the_way(path, "a")
    assert stands_in_the_way(path, "b")
    path.write_bytes(b"\xff")
    assert stands_in_the_way(path, "b")


@pytest.mark.parametrize("name", ["", "a\x00b", "x" * 300])
def test_a_name_that_no_file_can_have_is_refused_in_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        write_spec(tmp_path / name, "x")
    assert not list(tmp_path.iterdir())
