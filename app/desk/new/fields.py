"""The fields of a new experiment: what each is called, what it means, and how its text becomes YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from bothways.app.desk.new.usual import choices, usual
from bothways.engine.experiment import GateSettings, Resolved, ReviewSettings, RunSettings

__all__ = ["SPEC_FILE", "Field", "Kind", "Offer", "candidates_in", "fields_of"]

Kind: TypeAlias = Literal["text", "typed", "list", "data", "desk"]
"""How the text is written down: as text, as a number or word, as a list, as data; `desk` not at all."""
Offer: TypeAlias = Literal["", "cases", "prompts", "tools", "judges", "models", "recordings"]
"""What there is to choose from."""


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the form.

    `path` is the field as errors name it. `usual` is what an empty one means.
    `choices` are all there are, `offer` is what may be found and chosen.
    """

    path: str
    label: str
    help: str
    usual: str = ""
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    offer: Offer = ""
    section: str = ""

    @property
    def candidate(self) -> int | None:
        """Which candidate it is about, from 0."""
        head, _, rest = self.path.partition("[")
        return int(rest.partition("]")[0]) if head == "candidates" else None


SPEC_FILE = "experiment.yaml"
"""Where a spec is written that nobody named a file for."""
_PROMPT = "The file of the system prompt; or leave it empty where the agent has its own."

_SOURCE_FIELDS: dict[str, tuple[Field, ...]] = {
    "model": (
        Field("model", "model", "Any litellm model, e.g. openai/gpt-4o-mini.", offer="models"),
        Field(
            "endpoint", "endpoint", "A server that speaks OpenAI's API: http://localhost:8000/v1.", "litellm"
        ),
    ),
    "http": (
        Field("http", "address", "The URL of an agent, or a mapping that says how to ask it.", kind="data"),
        Field("version", "version", "What its answers are good for: a new version is asked again."),
    ),
    "function": (
        Field(
            "function", "function", 'module:function; gets one dict, returns a text or {"text": "…"}.'
        ),
    ),
    "command": (
        Field("command", "command", 'A program: one JSON object on stdin, {"text": "…"} on stdout.'),
        Field("version", "version", "What its answers are good for: a new version is asked again."),
    ),
    "replay": (
        Field("replay", "recording", "A file of answers, one a line.", offer="recordings"),
        Field("model", "made by model", "What made the recording, as far as it is known.", offer="models"),
        Field("endpoint", "at endpoint", "Where that model was asked."),
    ),
}  # fmt: skip
_TOOLS = Field(
    "tools", "tools", "A YAML or JSON file with the tools that may be called.", "none", "data", offer="tools"
)
_PARAMS = Field("params", "params", "What the model is given, e.g. {temperature: 0.2}.", "none", "data")
_ELSEWHERE = {"candidates", "used", "judge.source"}
_OF_A_VARIANT = {
    "name", "source", "prompt", "prompt_text", "tools", "params",
    *(field.path for fields in _SOURCE_FIELDS.values() for field in fields),
}  # fmt: skip
_OF_A_JUDGE = {"judge", "judge.model", "judge.endpoint", "judge.function", "judge.replay", "judge.prompt"}


def candidates_in(values: Mapping[str, str]) -> int:
    """Return how many candidates a draft has: one at least."""
    count = values.get("candidates", "")
    return max(1, int(count)) if count.isdecimal() else 1


def fields_of(values: Mapping[str, str]) -> Iterator[Field]:
    """Yield the fields of a draft in their order; which there are depends on what was chosen."""
    shown = list(_usual_fields(values))
    yield from shown
    yield from _others(values, {one.path for one in shown})


def _usual_fields(values: Mapping[str, str]) -> Iterator[Field]:
    yield from _experiment()
    yield from _variant("baseline", "Baseline", values, source=values.get("baseline.source") or "model")
    for number in range(candidates_in(values)):
        place, title = f"candidates[{number}]", f"Candidate {number + 1}"
        source = values.get(f"{place}.source") or values.get("baseline.source") or "model"
        yield from _variant(place, title, values, source=source)
    yield from _judge(values)
    yield from _review()
    yield from _gate()


def _in(section: str, *fields: Field, place: str = "") -> Iterator[Field]:
    for one in fields:
        path = f"{place}.{one.path}" if place else one.path
        yield replace(one, path=path, section=section)


def _experiment() -> Iterator[Field]:
    return _in(
        "Experiment",
        Field("name", "name", "What it is called everywhere; it is the only one called so."),
        Field("file", "spec file", "Where it is written; paths start from it.", SPEC_FILE, "desk"),
        Field("cases", "cases", "The questions, as JSON lines, JSON, YAML or CSV.", offer="cases"),
        Field("map", "columns", "Where columns are called otherwise: {input: question}.", "found", "data"),
        Field("hypothesis", "hypothesis", "What you expect, and why: said before anybody looks."),
        Field("follows", "follows", "The experiment that this one narrows or repeats.", "none"),
    )  # fmt: skip


def _variant(place: str, section: str, values: Mapping[str, str], source: str) -> Iterator[Field]:
    own = place == "baseline"
    name = Field("name", "name", "The version, as people call it: v4, 2026-08, …")
    what = "What answers: a model, an agent, a program, or a recording."
    origin = Field("source", "answers from", what, "model", "desk", tuple(_SOURCE_FIELDS))
    inline = bool(values.get(f"{place}.prompt_text")) and not values.get(f"{place}.prompt")
    prompt = Field("prompt", "prompt", _PROMPT, "none", offer="prompts")
    text = Field("prompt_text", "prompt's text", "The prompt itself; choose a file to have another.")
    shown = [
        name,
        origin,
        *_SOURCE_FIELDS.get(source, ()),
        *([text] if inline else []),
        prompt,
        _TOOLS,
        _PARAMS,
    ]
    for one in _in(section, *shown, place=place):
        kept = own or one.path.endswith((".name", ".replay"))
        yield one if kept else replace(one, usual="as the baseline")


def _judge(values: Mapping[str, str]) -> Iterator[Field]:
    source = values.get("judge.source") or "model"
    yield from _in(
        "Judge",
        Field(
            "judge.source", "judged by", "Who compares each pair, both ways round.", "model", "desk",
            ("model", "shared file", "function", "replay", "nobody"),
        ),
    )  # fmt: skip
    shown: dict[str, tuple[Field, ...]] = {
        "model": (
            Field("judge.model", "model", "A model of another family than the candidates.", offer="models"),
            Field("judge.endpoint", "endpoint", "A server that speaks OpenAI's API.", "litellm"),
            Field(
                "judge.prompt", "prompt", "Your own judge prompt, instead of ours.", "ours", offer="prompts"
            ),
        ),
        "shared file": (Field("judge", "file", "A judge that experiments share.", offer="judges"),),
        "function": (
            Field(
                "judge.function",
                "function",
                'module:function; gets one dict, returns 0 (first is better), 1, "tie" or None.',
            ),
        ),
        "replay": (
            Field("judge.replay", "recording", "A file of verdicts, one a line.", offer="recordings"),
            Field("judge.model", "made by model", "What made the recording.", offer="models"),
            Field("judge.endpoint", "at endpoint", "Where that model was asked."),
        ),
    }
    yield from _in("Judge", *shown.get(source, ()))


def _others(values: Mapping[str, str], shown: set[str]) -> Iterator[Field]:
    """Yield what came with an earlier experiment and has no line of its own, so that nothing is lost.

    What is only hidden, because something else was chosen, stays hidden.
    """
    for path in values:
        part, _, name = path.rpartition(".")
        hidden = (
            name in _OF_A_VARIANT
            if part == "baseline" or part.startswith("candidates[")
            else path in _OF_A_JUDGE
        )
        hidden |= path == "judge.prompt_text" and "judge.prompt" in values
        if path not in shown and not hidden and path not in _ELSEWHERE:
            yield Field(path, path, "Taken over from the earlier experiment.", kind="data", section="Also")


def _review() -> Iterator[Field]:
    tags = "review.high_stakes.tags"
    return _in(
        "Review",
        Field(tags, "high stakes", "Tags of cases that people read in any case.", "none", "list"),
        _set("review.require", "people read them", "When high-stakes rows must be read."),
        _set("review.audit", "audit", "Share of agreed rows that people read too."),
        _set("review.blind", "blind", "No names, no judge before the vote."),
        _set("review.policy", "if they differ", "Whose verdict counts."),
        _set("review.adjudicator", "adjudicator", "Who settles it, where the rule says so.", "nobody"),
    )  # fmt: skip


def _gate() -> Iterator[Field]:
    yield from _in(
        "Gate",
        _set("gate.threshold", "threshold", "Share of decided rows that it must win."),
        _set("gate.ties", "ties", "Whether agreed ties count."),
        _set("gate.min_decided", "decided rows", "So many there must be."),
        _set("gate.max_flip_rate", "flip rate", "Largest share of flipped rows."),
        Field("attest.one_change", "one change", "Why it is one change, where that cannot be checked."),
    )  # fmt: skip
    yield from _in(
        "Run",
        _set("run.budget_usd", "budget, USD", "The run stops before it has cost more.", "no limit"),
        _set("run.concurrency", "at once", "Calls in flight."),
    )


_PARTS: dict[str, type[Resolved]] = {"review": ReviewSettings, "gate": GateSettings, "run": RunSettings}


def _set(path: str, label: str, help: str, unset: str = "") -> Field:
    """Return the line of a setting, as the spec has it; `unset` says what it is where it has no default."""
    part, name = path.split(".")
    settings = _PARTS[part]
    usually, offered = usual(settings, name) or unset, choices(settings, name)
    text = settings.model_fields[name].annotation == str | None
    return Field(path, label, help, usually, "text" if text else "typed", offered)
