"""An experiment from its YAML: every file read in, everything checked, all problems reported at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from bothways.engine.cases.columns import FIELDS
from bothways.engine.cases.load import load_cases
from bothways.engine.errors import DataError, Place
from bothways.engine.experiment import Experiment, Variant
from bothways.engine.facts import Case
from bothways.engine.files.fields import Fields, Problems
from bothways.engine.files.node import Node
from bothways.engine.files.text import read_text
from bothways.engine.files.yaml import read_yaml
from bothways.engine.names import check_name, check_role
from bothways.engine.spec.files import named_file
from bothways.engine.spec.judges import read_judge
from bothways.engine.spec.secrets import refuse_secrets
from bothways.engine.spec.settings import read_attest, read_gate, read_review, read_run
from bothways.engine.spec.variants import over, read_variant

__all__ = ["ReadCases", "load_spec", "parse_spec"]

ReadCases: TypeAlias = Callable[[Path, Mapping[str, str]], list[Case]]


def load_spec(path: Path) -> tuple[Experiment, list[Case]]:
    """Read a spec with its prompts, tools and cases; raises DataError with everything that is wrong."""
    return parse_spec(read_text(path), path)


def parse_spec(text: str, path: Path, read_cases: ReadCases = load_cases) -> tuple[Experiment, list[Case]]:
    """Read the text of a spec as if it stood in a file at `path`, be it there or not.

    `read_cases` reads the data set it names: whoever checks a spec again and again has it at hand.
    """
    file = str(path)
    root = read_yaml(text, file)
    problems = Problems()
    refuse_secrets(root, Place(file), problems)
    fields = Fields(root, Place(file), problems)
    if not fields.names:
        problems.add(fields.place, "no fields", "at least name, cases and baseline")
        problems.raise_any()
    variants = _variants(fields)
    name, hypothesis, follows = fields.required("name"), fields.text("hypothesis"), fields.optional("follows")
    check_name(name, fields.at("name"), problems)
    judge = read_judge(fields)
    review, gate, run, attest = read_review(fields), read_gate(fields), read_run(fields), read_attest(fields)
    cases = _cases(fields, read_cases)
    fields.finish()
    problems.raise_any()
    baseline, *candidates = variants
    return (
        Experiment(
            name=name,
            baseline=baseline,
            candidates=tuple(candidates),
            judge=judge,
            hypothesis=hypothesis,
            follows=follows,
            review=review,
            gate=gate,
            run=run,
            attest=attest,
        ),
        cases,
    )


def _variants(fields: Fields) -> list[Variant]:
    """Read the baseline, then the candidates; each has a name of its own."""
    baseline = fields.child("baseline")
    if baseline is None:
        fields.wrong("baseline", "missing", "a mapping with name and what answers")
        return []
    read = {baseline.place: read_variant(baseline)}
    for candidate in fields.children("candidates"):
        merged = over(fields.node("baseline") or Node({}, 0), candidate.written)
        read[candidate.place] = read_variant(Fields(merged, candidate.place, fields.problems))
    names: dict[str, Place] = {}
    for place, variant in read.items():
        role: Literal["baseline", "candidate"] = "candidate" if names else "baseline"
        at_name = replace(place, field=f"{place.field}.name")
        check_role(variant.name, role, len(read) <= 2, at_name, fields.problems)
        if variant.name in names:
            found = f"a second variant called {variant.name}"
            fields.problems.add(at_name, found, "a name for each variant")
        names[variant.name] = place
    return list(read.values())


def _cases(fields: Fields, read: ReadCases) -> list[Case]:
    path = named_file(fields, "cases")
    mapping = _mapping(fields)
    if path is None:
        if "cases" not in fields:
            fields.wrong("cases", "missing", "the path of the cases, relative to this file")
        return []
    try:
        return read(path, mapping)
    except DataError as error:
        fields.problems.note(error)
        return []


def _mapping(fields: Fields) -> Mapping[str, str]:
    mapping = fields.child("map")
    if mapping is None:
        return {}
    read = {field: mapping.required(field) for field in FIELDS if field in mapping}
    mapping.finish()
    return read
