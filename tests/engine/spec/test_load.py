from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bothways.engine.errors import BothwaysError, DataError
from bothways.engine.experiment import Experiment, GateSettings, Judge, Variant
from bothways.engine.spec.load import load_spec

SPEC = """\
name: shipping tool description
cases: cases.jsonl
baseline:
  name: v4
  model: openai/gpt-4o-mini
  prompt: prompts/v4.md
  tools: tools.yaml
  params: {temperature: 0.2, top_p: 1}
candidates:
  - name: v5
    prompt: prompts/v5.md
judge:
  model: anthropic/claude-sonnet-4-5
hypothesis: naming the inputs helps
follows: shipping-tool-1
review: {require: when_close, high_stakes: {tags: [refund, checkout]}, blind: true, audit: 0.1}
gate: {threshold: 0.60, ties: exclude, min_decided: 5}
run: {concurrency: 3, budget_usd: 5, retries: 1, timeout_s: 60}
attest: {one_change: the agent is deployed from one commit}
"""
FILES = {
    "cases.jsonl": '{"id": "a", "input": "where is my order?"}\n',
    "prompts/v4.md": "You are kind.\r\nBe short.\r\n",
    "prompts/v5.md": "---\ntitle: not cut off\n---\n{{x}} & <b>",
    "tools.yaml": "- name: find\n  description: finds\n  parameters: {type: object}\n"
    "  writes: true\n  result: [1]\n",
    "recording.jsonl": "{}\n",
    "agent.py": "raise SystemExit('importing runs code')\ndef answer(asked): ...\ndef judge(asked): ...\n",
    "pack/__init__.py": "",
    "pack/inner.py": "answer = str\n",
    "broken.py": "def answer(asked)\n    return 1\n",
}

Lay = Callable[..., Path]


@pytest.fixture
def lay(tmp_path: Path) -> Lay:
    def lay(spec: str = SPEC, files: Mapping[str, str] | None = None) -> Path:
        for name, text in {**FILES, **(files or {}), "experiment.yaml": spec}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, newline="")
        return tmp_path / "experiment.yaml"

    return lay


def with_baseline(*lines: str) -> str:
    indented = "".join(f"  {line}\n" for line in lines)
    return f"name: x\ncases: cases.jsonl\nbaseline:\n  name: v4\n{indented}"


def baseline(path: Path) -> Variant:
    return load_spec(path)[0].baseline


def candidate(path: Path) -> Variant:
    return load_spec(path)[0].candidates[0]


def judge(path: Path) -> Judge:
    found = load_spec(path)[0].judge
    assert found is not None
    return found


def complaints(path: Path) -> list[DataError]:
    with pytest.raises(DataError) as caught:
        load_spec(path)
    return [caught.value, *caught.value.others]


def complaint(path: Path) -> DataError:
    (error,) = complaints(path)
    return error


def test_a_spec_is_read_with_all_its_files(lay: Lay) -> None:
    experiment, cases = load_spec(lay())
    assert [case.id for case in cases] == ["a"]
    assert (experiment.name, experiment.hypothesis, experiment.follows) == (
        "shipping tool description",
        "naming the inputs helps",
        "shipping-tool-1",
    )
    assert experiment.baseline.prompt == "You are kind.\nBe short."
    (tool,) = experiment.baseline.tools
    assert (tool.name, tool.description, tool.writes, tool.result) == ("find", "finds", True, [1])
    assert experiment.review.high_stakes_tags == ("refund", "checkout")
    assert (experiment.review.require, experiment.review.blind, experiment.review.audit) == (
        "when_close",
        True,
        0.1,
    )
    assert experiment.gate == GateSettings(ties="exclude", min_decided=5)
    assert experiment.gate.threshold == "0.60"
    assert (experiment.run.concurrency, experiment.run.budget_usd, experiment.run.timeout_s) == (3, 5, 60)
    assert experiment.attest.one_change == "the agent is deployed from one commit"


def test_a_resolved_spec_survives_the_store(lay: Lay) -> None:
    experiment, _ = load_spec(lay())
    assert Experiment.model_validate_json(experiment.model_dump_json()) == experiment


def test_a_candidate_is_the_baseline_plus_what_it_changes(lay: Lay) -> None:
    experiment, _ = load_spec(lay())
    changed = experiment.candidates[0]
    assert changed.prompt == "---\ntitle: not cut off\n---\n{{x}} & <b>"
    assert (
        changed.model_copy(update={"name": "v4", "prompt": experiment.baseline.prompt}) == experiment.baseline
    )


def test_parameters_are_merged_one_by_one_and_an_empty_one_is_taken_away(lay: Lay) -> None:
    spec = SPEC.replace("prompt: prompts/v5.md", "params: {temperature: 0.9, top_p: , seed: 3}")
    assert candidate(lay(spec)).params == {"temperature": 0.9, "seed": 3}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("model: other", "model"),
        ("http: https://agent.example/ask", "http"),
        ("function: pack.inner:answer", "function"),
        ("command: [cat]", "command"),
        ("replay: recording.jsonl", "replay"),
    ],
)
@pytest.mark.parametrize(
    "base", ["model: first\n  endpoint: https://m.example/v1", "http: https://old.example", "command: old"]
)
def test_a_candidate_that_names_a_source_replaces_the_baselines(
    lay: Lay, base: str, line: str, kind: str
) -> None:
    spec = with_baseline(base, "version: 1.10") + f"candidates:\n  - name: v5\n    {line}\n"
    variant = candidate(lay(spec))
    assert variant.kind == kind
    assert variant.endpoint is None or kind == "replay"
    if kind not in ("function", "replay"):
        assert variant.version is None


def test_a_recording_is_known_by_its_content_and_lies_at_an_absolute_path(lay: Lay) -> None:
    path = lay(with_baseline("model: m", "replay: recording.jsonl"))
    variant = baseline(path)
    assert variant.replay == str(path.parent / "recording.jsonl")
    assert variant.version == hashlib.sha256(b"{}\n").hexdigest()
    assert (variant.kind, variant.model) == ("replay", "m")


def test_a_candidate_never_takes_over_the_recording_of_the_baselines_answers(lay: Lay) -> None:
    spec = (
        with_baseline("model: m", "replay: recording.jsonl")
        + "candidates: [{name: v5, prompt_text: short}]\n"
    )
    assert (candidate(lay(spec)).kind, candidate(lay(spec)).version) == ("model", None)
    spec = with_baseline("replay: recording.jsonl") + "candidates: [{name: v5, prompt_text: short}]\n"
    assert complaint(lay(spec)).place.field == "candidates[0]"


def test_the_module_of_the_tools_is_known_by_its_source(lay: Lay) -> None:
    variant = baseline(lay(with_baseline("model: m", "tool_module: agent")))
    assert variant.tool_module_version == hashlib.sha256(FILES["agent.py"].encode()).hexdigest()


def test_a_function_is_known_by_its_source_which_is_not_imported(lay: Lay) -> None:
    variant = baseline(lay(with_baseline("function: agent:answer")))
    assert variant.version == hashlib.sha256(FILES["agent.py"].encode()).hexdigest()
    inner = baseline(lay(with_baseline("function: pack.inner:answer")))
    assert inner.version == hashlib.sha256(FILES["pack/inner.py"].encode()).hexdigest()
    declared = baseline(lay(with_baseline("function: agent:answer", "version: 1.10")))
    assert declared.version == "1.10"


@pytest.mark.parametrize("line", ["http: https://agent.example", "command: run it"])
def test_an_opaque_source_without_a_version_has_none(lay: Lay, line: str) -> None:
    assert baseline(lay(with_baseline(line))).version is None


def test_a_command_is_split_into_words(lay: Lay) -> None:
    assert baseline(lay(with_baseline('command: python agent.py "a b"'))).command == (
        "python",
        "agent.py",
        "a b",
    )


def test_a_prompt_may_stand_in_the_spec(lay: Lay) -> None:
    spec = (
        with_baseline("model: m", "prompt_text: |", "  one", "  two")
        + "candidates: [{name: v5, prompt: prompts/v5.md}]\n"
    )
    path = lay(spec)
    assert (baseline(path).prompt, candidate(path).prompt[:3]) == ("one\ntwo", "---")


def test_where_the_spec_lies_and_its_recordings_lie_changes_no_key(lay: Lay, tmp_path: Path) -> None:
    variant = baseline(lay(with_baseline("model: m", "replay: recording.jsonl")))
    assert variant.folder == str(tmp_path)
    assert variant.digest == variant.model_copy(update={"folder": "/x", "replay": "/y", "name": "z"}).digest


def test_tools_may_stand_in_the_spec_and_in_json_in_openais_form(lay: Lay) -> None:
    inline = baseline(lay(with_baseline("model: m", "tools: [{name: find, result: {a: 1}}]")))
    assert inline.tools[0].result == {"a": 1}
    wrapped = [{"type": "function", "function": {"name": "find", "description": "d"}, "writes": True}]
    spec = with_baseline("model: m", "tools: tools.json")
    tool = baseline(lay(spec, {"tools.json": json.dumps(wrapped)})).tools[0]
    assert (tool.name, tool.description, tool.writes) == ("find", "d", True)


def test_a_judge_may_have_a_file_of_its_own_with_paths_relative_to_it(lay: Lay) -> None:
    spec = SPEC.replace("judge:\n  model: anthropic/claude-sonnet-4-5\n", "judge: judges/shop.yaml\n")
    text = (
        "model: m\nprompt: shop.md\ncriteria: [correct, polite]\ntemperature: 0.5\nmax_tokens: 50\n"
        "swap: false\nshuffle: false\nallow_tie: false\ngolden: none\nshow: [duration, cost]\nname: strict\n"
    )
    found = judge(lay(spec, {"judges/shop.yaml": text, "judges/shop.md": "Compare.\n"}))
    assert (found.name, found.prompt, found.criteria) == ("strict", "Compare.", ("correct", "polite"))
    assert (found.temperature, found.max_tokens, found.golden) == (0.5, 50, "none")
    assert (found.swap, found.shuffle, found.allow_tie, found.show) == (
        False,
        False,
        False,
        ("cost", "duration"),
    )


@pytest.mark.parametrize(
    ("lines", "name"),
    [("model: m", "m"), ("function: agent:judge", "agent:judge"), ("replay: recording.jsonl", "recording")],
)
def test_a_judge_is_called_after_what_it_is(lay: Lay, lines: str, name: str) -> None:
    found = judge(lay(with_baseline("model: m") + f"judge: {{{lines}}}\n"))
    assert found.name == name
    assert (found.version is None) == (name == "m")


@pytest.mark.parametrize("name", ["tie", "both bad", "confirm", "ok", "Undo", "baseline"])
def test_a_candidate_called_like_a_word_of_the_review_is_refused(lay: Lay, name: str) -> None:
    wrong = complaint(lay(SPEC.replace("name: v5", f"name: {name}")))
    assert (wrong.place.line, wrong.place.field) == (10, "candidates[0].name")


def test_a_baseline_called_candidate_is_refused(lay: Lay) -> None:
    wrong = complaint(lay(SPEC.replace("name: v4", "name: candidate")))
    assert wrong.place.field == "baseline.name"


def test_names_longer_than_any_table_are_refused(lay: Lay) -> None:
    spec = SPEC.replace("name: shipping tool description", f"name: {'x' * 201}")
    spec = spec.replace("name: v5", f"name: {'y' * 201}")
    cases = f'{{"id": "{"z" * 1001}", "input": "?"}}\n'
    found = complaints(lay(spec, {"cases.jsonl": cases}))
    assert [wrong.place.field for wrong in found] == ["name", "candidates[0].name", "id"]


def test_columns_may_be_mapped(lay: Lay) -> None:
    spec = with_baseline("model: m") + "map: {input: frage}\n"
    files = {"cases.jsonl": '{"frage": "warum?"}'}
    assert load_spec(lay(spec, files))[1][0].input == "warum?"
    error = complaint(lay(spec.replace("{input: frage}", "{imput: frage, input: frage}"), files))
    assert (error.place.line, error.place.field) == (6, "map.imput")


SOURCE, PROMPT, TOOLS = "  model: openai/gpt-4o-mini", "prompt: prompts/v4.md", "tools: tools.yaml"
JUDGE = "  model: anthropic/claude-sonnet-4-5"
ATTEST = "one_change: the agent is deployed from one commit"


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "expected"),
    [
        ("name: shipping tool description", "nam: x", 1, "nam", "name"),
        ("name: shipping tool description", "name: [x]", 1, "name", "text"),
        ("name: shipping tool description", "name: ' '", 1, "name", "text"),
        ("cases: cases.jsonl", "", 1, "cases", "the path of the cases"),
        ("cases: cases.jsonl", "cases: none.jsonl", 2, "cases", "relative to this one"),
        (SOURCE, "  modell: x", 5, "baseline.modell", "model"),
        (SOURCE, "", 4, "baseline", "one of model"),
        (SOURCE, "  model: m\n  http: https://x", 6, "baseline.http", "one source"),
        (SOURCE, "  http: {method: GET}", 5, "baseline.http.url", "required"),
        (SOURCE, "  http: {url: https://x, methd: GET}", 5, "baseline.http.methd", "method"),
        (SOURCE, "  http:\n    url: https://x\n    method: GIT", 7, "baseline.http.method", "GET"),
        (SOURCE, "  http: ftp://x", 5, "baseline.http", "a URL"),
        (SOURCE, "  http: [1]", 5, "baseline.http", "a mapping"),
        (SOURCE, "  command: 'a \"b'", 5, "baseline.command", "quotes that close"),
        (SOURCE, "  command: []", 5, "baseline.command", "a program and its arguments"),
        (SOURCE, "  command: ['']", 5, "baseline.command", "a program and its arguments"),
        (SOURCE, "  command: ''", 5, "baseline.command", 'writes {"text": "…"} to stdout'),
        (SOURCE, "  command:", 5, "baseline.command", "a program and its arguments"),
        (SOURCE, "  function: agent", 5, "baseline.function", "module:function"),
        (SOURCE, "  function: no_such.thing:f", 5, "baseline.function", "a module"),
        (SOURCE, "  function: agent:anwser", 5, "baseline.function", "answer (did you mean that?)"),
        (SOURCE, "  function: broken:answer", 5, "baseline.function", "a module that can be imported"),
        (SOURCE, SOURCE + "\n  tool_module: broken", 6, "baseline.tool_module", "can be imported"),
        (SOURCE, "  replay: none.jsonl", 5, "baseline.replay", "the path of a file"),
        (SOURCE, "  replay: " + "x" * 5000, 5, "baseline.replay", "the path of a file"),
        (SOURCE, '  replay: "a\\0b"', 5, "baseline.replay", "the path of a file"),
        (SOURCE, "  model: m\n  endpoint: here", 6, "baseline.endpoint", "a URL"),
        (PROMPT, "prompt: prompts/v3.md", 6, "baseline.prompt", "relative to this one"),
        (PROMPT, "prompt: empty.md", 6, "baseline.prompt", "a prompt"),
        (PROMPT, "prompt: agent.py\n  prompt_text: x", 7, "baseline.prompt_text", "one of them"),
        (TOOLS, "tools: [{name: a, descripton: x}]", 7, "baseline.tools[0].descripton", "description"),
        (TOOLS, "tools: [{name: a}, {name: a}]", 7, "baseline.tools[1].name", "a name for each"),
        (TOOLS, "tools: [{name: a, writes: no}]", 7, "baseline.tools[0].writes", "true or false"),
        (TOOLS, "tool_module: no_such", 7, "baseline.tool_module", "a module beside"),
        (TOOLS, "tools: {a: 1}", 7, "baseline.tools", "a list"),
        ("params: {temperature: 0.2, top_p: 1}", "params: 3", 8, "baseline.params", "a mapping"),
        ("  - name: v5", "  - nme: v5", 10, "candidates[0].nme", "name"),
        ("  - name: v5", "  - name: v4", 10, "candidates[0].name", "a name for each variant"),
        ("  - name: v5\n    prompt: prompts/v5.md", "  - v5", 10, "candidates[0]", "a mapping"),
        (JUDGE, "  modl: x", 13, "judge.modl", "model"),
        (JUDGE, "  model: x\n  temperature: hot", 14, "judge.temperature", "0 to 2"),
        (JUDGE, "  model: x\n  swap: 'yes'", 14, "judge.swap", "true or false"),
        (JUDGE, "  model: x\n  golden: refrence", 14, "judge.golden", "reference"),
        (JUDGE, "  model: x\n  show: [price]", 14, "judge.show", "cost, duration"),
        (JUDGE, "  model: x\n  max_tokens: 0", 14, "judge.max_tokens", "1 or more"),
        (JUDGE, "  model: x\n  criteria: [a: b]", 14, "judge.criteria", "list of texts"),
        ("require: when_close", "require: sometimes", 16, "review.require", "always"),
        ("audit: 0.1", "audit: 10", 16, "review.audit", "between 0 and 1"),
        ("audit: 0.1", "second_look: 2", 16, "review.second_look", "between 0 and 1"),
        ("audit: 0.1", "policy: adjudicator", 16, "review.adjudicator", "whose verdict counts"),
        ("audit: 0.1", "policy: adjudicator, adjudicator: ' '", 16, "review.adjudicator", "whose verdict"),
        ("audit: 0.1", "adjudicator: ada", 16, "review.adjudicator", "policy: adjudicator"),
        ("audit: 0.1", "policy: majority, adjudicator: ada", 16, "review.adjudicator", "policy: adjudicator"),
        ("tags: [refund, checkout]", "tag: [refund]", 16, "review.high_stakes.tag", "tags"),
        ("threshold: 0.60", "threshold: 60 %", 17, "gate.threshold", "0.60"),
        ("threshold: 0.60", "threshold: 1.5", 17, "gate.threshold", "between 0 and 1"),
        ("threshold: 0.60", "threshold: 1e-9999999", 17, "gate.threshold", "between 0 and 1"),
        ("min_decided: 5", "min_decided: -1", 17, "gate.min_decided", "0 or more"),
        ("concurrency: 3", "concurrency: 0", 18, "run.concurrency", "1 or more"),
        ("budget_usd: 5", "budget_usd: five", 18, "run.budget_usd", "US dollars"),
        ("timeout_s: 60", "timeout: 60", 18, "run.timeout", "timeout_s"),
        (ATTEST, "one_change: ''", 19, "attest.one_change", "text"),
        (ATTEST, "one_chance: x", 19, "attest.one_chance", "one_change"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named_with_its_line_and_what_was_expected(
    lay: Lay, old: str, new: str, line: int, field: str, expected: str
) -> None:
    assert old in SPEC
    path = lay(SPEC.replace(old, new), {"empty.md": "\n"})
    places = [(error.place.file, error.place.line, error.place.field) for error in complaints(path)]
    assert (str(path), line, field) in places
    assert any(expected in error.expected for error in complaints(path) if error.place.field == field)


def test_a_policy_that_is_misspelt_is_the_only_thing_wrong(lay: Lay) -> None:
    path = lay(SPEC.replace("audit: 0.1", "policy: adjudicater, adjudicator: ada"))
    assert complaint(path).place.field == "review.policy"


def test_reviewers_who_differ_and_rows_that_come_back_are_settings(lay: Lay) -> None:
    review = load_spec(lay(SPEC))[0].review
    assert (review.policy, review.adjudicator, review.second_look) == ("latest", None, 0.0)
    more = "policy: adjudicator, adjudicator: ada, second_look: 0.05"
    review = load_spec(lay(SPEC.replace("audit: 0.1", more)))[0].review
    assert (review.policy, review.adjudicator, review.second_look) == ("adjudicator", "ada", 0.05)


def test_everything_that_is_wrong_is_reported_at_once_and_once(lay: Lay) -> None:
    spec = SPEC.replace("tools.yaml", "none.yaml")
    errors = complaints(lay(spec.replace("ties: exclude", "ties: maybe").replace("blind: true", "blind: 1")))
    assert [error.place.field for error in errors] == ["baseline.tools", "review.blind", "gate.ties"]


@pytest.mark.parametrize(
    ("name", "text", "line", "field"),
    [
        ("tools.yaml", "- name: a\n- nam: b\n", 2, "tools[1].nam"),
        ("tools.yaml", "name: a\n", 1, "tools"),
        ("tools.yaml", "- [\n", 2, ""),
        ("cases.jsonl", '{"input": "x"}\n{"input": \n', 2, ""),
        ("cases.jsonl", "", 0, ""),
        ("prompts/v4.md", "\ud800", 1, ""),
    ],
)
def test_what_is_wrong_in_another_file_is_named_there(
    lay: Lay, name: str, text: str, line: int, field: str
) -> None:
    path = lay()
    (path.parent / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    places = [(error.place.file, error.place.line, error.place.field) for error in complaints(path)]
    assert (str(path.parent / name), line, field) in places


@pytest.mark.parametrize(
    "spec",
    [
        with_baseline("model: m", "api_key: sk-test-123"),
        with_baseline("model: m", "params: {extra_headers: {Authorization: Bearer sk-test-123}}"),
        with_baseline("http: {url: https://x, headers: {x-api-key: sk-test-123}}"),
        with_baseline("http: https://user:sk-test-123@host/v1"),
        with_baseline("model: m", "endpoint: https://host/v1?token=sk-test-123"),
        with_baseline("model: m") + "judge: {model: m, password: sk-test-123}\n",
    ],
)
def test_secrets_are_refused_with_advice_and_never_repeated(lay: Lay, spec: str) -> None:
    errors = complaints(lay(spec))
    assert "environment" in errors[0].next_step
    assert not any("sk-test-123" in f"{error} {error.cause} {error.next_step}" for error in errors)


def test_names_of_variables_and_of_parameters_are_no_secrets(lay: Lay) -> None:
    headers = "http: {url: https://x, headers: {Authorization: 'Bearer ${AGENT_KEY}'}}"
    assert baseline(lay(with_baseline(headers))).http is not None
    tools = "tools: [{name: login, parameters: {properties: {password: {type: string}}}}]"
    assert baseline(lay(with_baseline("model: m", "params: {max_tokens: 5}", tools))).params == {
        "max_tokens": 5
    }


@pytest.mark.parametrize("text", ["", "# nothing\n", "[]", "text", "name: x\n"])
def test_a_file_that_is_no_spec_is_an_error(lay: Lay, text: str) -> None:
    assert complaints(lay(text))


def test_a_missing_spec_is_an_error(tmp_path: Path) -> None:
    assert "cannot be read" in complaint(tmp_path / "none.yaml").title


_words = st.sampled_from(
    [line for line in SPEC.splitlines() if line] + ["  - [", "name:", "  name: 3", "judge: []"]
)
_yaml = st.lists(_words, max_size=12).map("\n".join)


def test_any_bytes_are_read_or_refused(lay: Lay) -> None:
    path = lay()

    @settings(deadline=None, max_examples=150)
    @given(st.binary() | _yaml.map(str.encode))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with contextlib.suppress(BothwaysError):
            load_spec(path)

    check()
