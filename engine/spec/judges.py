"""The judge: in the spec, or in a file that several experiments share."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from bothways.engine.errors import DataError, Place
from bothways.engine.experiment import Judge
from bothways.engine.files.fields import Fields
from bothways.engine.files.text import read_text
from bothways.engine.files.yaml import read_yaml
from bothways.engine.judging.prompt import DEFAULT_CRITERIA, DEFAULT_PROMPT, check_prompt
from bothways.engine.names import check_name
from bothways.engine.spec.files import function_version, named_file, read_prompt, read_recording
from bothways.engine.spec.secrets import refuse_secrets
from bothways.engine.spec.variants import read_address

__all__ = ["read_judge"]

_SOURCES = ("model", "function", "replay")
_SHOWN: tuple[Literal["cost", "duration"], ...] = ("cost", "duration")


def read_judge(experiment: Fields) -> Judge | None:
    """Read `judge`; paths in a judge's own file are relative to that file."""
    node = experiment.node("judge")
    if node is None:
        return None
    if not isinstance(node.value, str):
        fields = experiment.child("judge")
        return _judge(fields) if fields else None
    path = named_file(experiment, "judge")
    if path is None:
        return None
    place = Place(str(path))
    try:
        root = read_yaml(read_text(path), str(path))
    except DataError as error:
        experiment.problems.note(error)
        return None
    refuse_secrets(root, place, experiment.problems)
    return _judge(Fields(root, place, experiment.problems))


def _judge(fields: Fields) -> Judge:
    replay, recorded = read_recording(fields)
    declared = fields.optional("version")
    model, function = fields.optional("model"), fields.optional("function")
    source = function_version(fields) if function else None
    _check_source(fields)
    name = fields.text("name") or model or function or (Path(replay).stem if replay else "")
    check_name(name, fields.at("name"), fields.problems)
    judge = Judge(
        name=name,
        model=model,
        endpoint=read_address(fields, "endpoint"),
        function=function,
        replay=replay,
        version=recorded or declared or source,
        prompt=_prompt(fields),
        criteria=fields.texts("criteria") or DEFAULT_CRITERIA,
        temperature=fields.number("temperature", "a number from 0 to 2", 0, 2)
        if fields.has("temperature")
        else 0.0,
        max_tokens=fields.whole("max_tokens", 1, 1) if "max_tokens" in fields else None,
        params=fields.object("params"),
        swap=fields.flag("swap", True),
        shuffle=fields.flag("shuffle", True) if "shuffle" in fields else None,
        allow_tie=fields.flag("allow_tie", True),
        golden=fields.choice("golden", ("reference", "none"), "reference"),
        show=tuple(word for word in _SHOWN if word in _shown(fields)),
        folder=str(Path(fields.place.file).parent.absolute()),
    )
    fields.finish()
    return judge


def _prompt(fields: Fields) -> str:
    """The prompt in words, also where it is ours: a later version's wording must not change old keys."""
    prompt = read_prompt(fields) or DEFAULT_PROMPT
    try:
        check_prompt(prompt, fields.text("prompt") or fields.place.file)
    except DataError as error:
        fields.problems.note(error)
    return prompt


def _check_source(fields: Fields) -> None:
    sources = [name for name in _SOURCES if name in fields]
    if not sources:
        fields.problems.add(fields.place, "nothing that judges", "one of " + ", ".join(_SOURCES))
    elif "model" in sources and "function" in sources:
        fields.wrong("function", "both model and function", "one judge")


def _shown(fields: Fields) -> tuple[str, ...]:
    words = fields.texts("show")
    for word in words:
        if word not in _SHOWN:
            fields.wrong("show", word, "cost, duration")
    return words
