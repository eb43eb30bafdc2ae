"""CSV out, for spreadsheets: one line for each pass and each review of every row.

Every line also says what its row adds up to. A cell that a spreadsheet would run as a formula gets a leading
quote mark, which `restored` takes off again; whoever needs everything exports pairs. Numbers stay numbers.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import IO

from bothways.engine.exchange.verdicts import COLUMNS as VERDICTS
from bothways.engine.exchange.verdicts import Verdicts
from bothways.engine.exchange.writing import pair_lines
from bothways.engine.facts import JsonObject, JsonValue
from bothways.engine.ledger import Facts, RowDetail
from bothways.engine.text import tag_words

__all__ = ["COLUMNS", "inert", "restored", "write_csv"]

COLUMNS = (
    "case", "high_stakes", "tags", *VERDICTS, "input", "context", "reference",
    "variant_a", "answer_a", "error_a", "cost_usd_a", "duration_s_a", "tool_calls_a",
    "variant_b", "answer_b", "error_b", "cost_usd_b", "duration_s_b", "tool_calls_b",
    "line", "who", "at", "shown_first", "act", "verdict", "signed", "rationale", "reason", "hash",
)  # fmt: skip
"""`line` says who is quoted in a line: judge, label (a vote that came in with a file), or review."""

_RUNS = ("=", "+", "-", "@", "\t", "\r")
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff \n\xa0"


def write_csv(facts: Facts, spec_id: int, out: IO[str]) -> int:
    """Write an experiment and return the number of pairs, each of which takes one line or more."""
    # Every text in quotes: csv leaves a lone CR bare otherwise, and other readers end the line there.
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    count = 0
    verdicts = Verdicts(facts, spec_id)
    for row, pair in pair_lines(facts, spec_id):
        count += 1
        shared = _shared(pair)
        for said in _said(pair, verdicts):
            cells = shared | said | _counts(row, pair, said, verdicts)
            writer.writerow({name: _cell(value) for name, value in cells.items()})
    return count


def inert(text: str) -> str:
    """Return `text` so that no spreadsheet runs it, however it hides its first character."""
    bare = text.lstrip("'")
    return f"'{text}" if bare.startswith(_RUNS) or bare.lstrip(_INVISIBLE).startswith(_RUNS) else text


def restored(cell: str) -> str:
    """Return the text that `inert` made this cell of."""
    return cell[1:] if cell.startswith("'") and inert(cell) != cell else cell


def _counts(row: RowDetail, pair: JsonObject, said: JsonObject, verdicts: Verdicts) -> JsonObject:
    """Return what the row adds up to, by the judge that a line is about."""
    judge = said["who"] if said.get("line") == "judge" else said.get("judge")
    return verdicts.of(row, _sides(pair), judge if isinstance(judge, str) else None)


def _sides(pair: JsonObject) -> tuple[str, str]:
    return str(_variant(pair, "A")), str(_variant(pair, "B"))


def _cell(value: JsonValue) -> str | float | int:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    # A NUL ends a cell in many readers, and csv refuses it.
    return inert(value.replace("\0", "␀")) if isinstance(value, str) else _plain(value)


def _plain(value: JsonValue) -> str | float | int:
    return value if isinstance(value, int | float) else inert(str(value))


def _shared(pair: JsonObject) -> JsonObject:
    prompt = pair.get("prompt")
    asked = [m.get("content") for m in prompt if isinstance(m, dict)] if isinstance(prompt, list) else []
    given = pair.get("tags")
    tags = given.items() if isinstance(given, dict) else ()
    shared: JsonObject = {
        "case": pair["pair_id"],
        "high_stakes": pair.get("high_stakes"),
        "tags": ", ".join(tag_words(name, str(value)) for name, value in tags),
        "input": asked[-1] if asked else "",
        "context": pair.get("context", ""),
        "reference": pair.get("reference", ""),
    }
    return shared | _side(pair, "a") | _side(pair, "b")


def _side(pair: JsonObject, letter: str) -> JsonObject:
    side = pair[letter]
    if not isinstance(side, dict):
        return {}
    calls = side.get("tool_calls")
    names = (
        [str(call.get("name")) for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    )
    fields: JsonObject = {
        "variant": side.get("model"),
        "answer": side.get("text"),
        "error": side.get("error"),
        "cost_usd": side.get("cost_usd"),
        "duration_s": side.get("duration_s"),
        "tool_calls": ", ".join(names),
    }
    return {f"{name}_{letter}": value for name, value in fields.items()}


def _said(pair: JsonObject, verdicts: Verdicts) -> Iterator[JsonObject]:
    """Yield what judges, labels and reviews say; one empty line where nobody said anything."""
    found = [*_judged(pair), *_labelled(pair), *_reviewed(pair, verdicts)]
    yield from found or [{}]


def _judged(pair: JsonObject) -> Iterator[JsonObject]:
    for line in _objects(pair, "judgements"):
        yield {
            "line": "judge",
            "who": line["judge"],
            "shown_first": _variant(pair, line["shown_first"]),
            "verdict": _variant(pair, line["verdict"]) or "unreadable",
            "rationale": line.get("rationale", ""),
        }


def _labelled(pair: JsonObject) -> Iterator[JsonObject]:
    for line in _objects(pair, "humans"):
        verdict = _variant(pair, line["verdict"])
        yield {
            "line": "label",
            "who": line["annotator"],
            "verdict": verdict,
            "rationale": line.get("note", ""),
        }
    if "gold" in pair:
        yield {"line": "label", "who": "gold", "verdict": _variant(pair, pair["gold"])}


def _reviewed(pair: JsonObject, verdicts: Verdicts) -> Iterator[JsonObject]:
    for line in _objects(pair, "reviews"):
        verdict = line.get("verdict")
        said = verdicts.named(_sides(pair), str(verdict), both_bad=line.get("both_bad") is True)
        yield {
            "line": "review",
            "judge": line.get("judge"),
            "who": line.get("reviewer"),
            "at": line.get("at"),
            "act": line.get("act"),
            "verdict": said if verdict is not None else None,
            "signed": line.get("signed"),
            "rationale": line.get("note", ""),
            "reason": line.get("reason", ""),
            "hash": line.get("hash"),
        }


def _objects(pair: JsonObject, name: str) -> list[JsonObject]:
    found = pair.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _variant(pair: JsonObject, letter: JsonValue) -> JsonValue:
    side = pair.get(letter.lower()) if isinstance(letter, str) and letter in ("A", "B") else None
    return side.get("model") if isinstance(side, dict) else letter
