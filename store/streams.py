"""Everything of one spec, streamed as tuples in row order: what analysis works from.

No stream touches the long texts, but `cases`. A unit's newest attempt is the one that counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bothways.engine.facts import NO_TOOLS, Case, Failure, FailureKind, JsonObject, load
from bothways.engine.ledger import AnswerFact, Label, PassFact, RowFact, ToolFact
from bothways.store.names import shown_names
from bothways.store.part import Part

__all__ = ["Streams"]

# In the order of the fields of the facts, so that a tuple becomes a fact by slicing. What failed comes as one
# text, its kind before its message; an attempt is looked for as SQLite does it with the least work.
_FAILURE = "n.failure_kind || char(10) || coalesce(n.failure_message, '')"
_USED = "n.cost_usd, n.duration_s, n.model, n.prompt_tokens, n.completion_tokens, n.cached_tokens"
_NEWEST = "SELECT id FROM {table} WHERE unit_id = l.unit_id{{earlier}} ORDER BY id DESC LIMIT 1"
_ANSWERS = f"""
SELECT l.row_id, l.variant_id, l.slot, l.night, l.repeat, n.id, {_FAILURE},
coalesce(n.digest, ''), coalesce(n.tools_digest, ''), coalesce(n.at, ''), {_USED}
FROM row_answers l LEFT JOIN answers n ON n.id = ({_NEWEST.format(table="answers")})
WHERE l.row_id BETWEEN ?1 AND ?2{{asked}} ORDER BY l.row_id, l.slot, l.night, l.repeat
"""
_PASSES = f"""
SELECT l.row_id, l.judge_id, l.order_id, l.ord, l.night, l.repeat, l.take, n.id IS NOT NULL, n.choice,
{_FAILURE}, coalesce(n.at, ''), {_USED}
FROM row_passes l LEFT JOIN passes n ON n.id = ({_NEWEST.format(table="passes")})
WHERE l.row_id BETWEEN ?1 AND ?2 AND (?3 IS NULL OR l.judge_id = ?3){{asked}}
ORDER BY l.row_id, l.night, l.repeat, l.take, l.ord, l.judge_id, l.order_id
"""
_TOOLS = """
SELECT l.row_id, l.variant_id, t.turn, t.name, t.arguments
FROM row_answers l JOIN answers n ON n.id = (SELECT max(id) FROM answers WHERE unit_id = l.unit_id{earlier})
JOIN tool_calls t ON t.answer_id = n.id
WHERE l.row_id BETWEEN ?1 AND ?2 AND n.tools_digest <> ?3 AND n.failure_kind IS NULL AND NOT EXISTS (
  SELECT 1 FROM row_answers m JOIN answers k ON k.unit_id = m.unit_id AND k.failure_kind IS NULL
  WHERE m.row_id = l.row_id AND m.slot = l.slot AND (m.night, m.repeat) > (l.night, l.repeat){earlier})
ORDER BY l.row_id, l.slot, l.night, l.repeat, t.place
"""


class Streams(Part):
    """Read a whole spec. Each stream may be left early; several may be open at once."""

    def rows(self, spec_id: int) -> Iterator[RowFact]:
        """Stream the rows in their order. Equal tags are the same mapping: read it only."""
        begins = self._whole(spec_id).first
        tags: dict[str, Mapping[str, str]] = {}
        sql = "SELECT r.id, c.case_id, c.high_stakes, c.tags FROM rows r JOIN cases c ON c.id = r.case_ref"
        for row_id, case_id, stakes, text in self._stream(
            f"{sql} WHERE r.id BETWEEN ? AND ? ORDER BY r.id", *self._extent(spec_id)
        ):
            if text not in tags:
                tags[text] = json.loads(text)
            high = None if stakes is None else bool(stakes)
            yield RowFact(row_id, row_id - begins, case_id, high, tags[text])

    def answers(self, spec_id: int) -> Iterator[AnswerFact]:
        """Stream the asked answers by row, then slot, night, repeat."""
        variants = self._names("variants")
        for found in self._attempts(_ANSWERS, spec_id):
            fact = AnswerFact._make((found[0], variants[found[1]], *found[2:]))
            yield fact if fact.failure is None else fact._replace(failure=_failure(found[6]))

    def passes(self, spec_id: int, judge: str | None = None) -> Iterator[PassFact]:
        """Stream the asked passes by row, then night, repeat, take, order."""
        judges = self._names("judges")
        orders = {number: shown_names(name) for number, name in self._names("orders").items()}
        wanted = None if judge is None else next((n for n, name in judges.items() if name == judge), 0)
        for found in self._attempts(_PASSES, spec_id, wanted):
            whose = (found[0], judges[found[1]], orders[found[2]])
            fact = PassFact._make((*whose, *found[3:7], found[7] == 1, *found[8:]))
            yield fact if fact.failure is None else fact._replace(failure=_failure(found[9]))

    def tools(self, spec_id: int) -> Iterator[ToolFact]:
        """Stream the tool calls of each variant's newest answer by row, then slot and place."""
        variants = self._names("variants")
        for row_id, variant, *call in self._attempts(_TOOLS, spec_id, NO_TOOLS):
            yield ToolFact(row_id, variants[variant], *call)

    def _attempts(self, sql: str, spec_id: int, more: object = None) -> Iterator[Any]:
        """Read what was asked and what it came to. `more` is `?3`, the moment that is looked at `?4`."""
        if self._before is None:
            values = (more,) if "?3" in sql else ()
            return self._stream(sql.format(earlier="", asked=""), *self._extent(spec_id), *values)
        nights, takes = self.extent(spec_id)
        asked = f" AND l.night <= {nights:d}" + (f" AND l.take <= {takes:d}" if sql is _PASSES else "")
        sql = sql.format(earlier=" AND at <= ?4", asked=asked)
        return self._stream(sql, *self._extent(spec_id), more, self._before.at)

    def labels(self, spec_id: int) -> Iterator[Label]:
        """Stream people's votes that came in with a file."""
        sql = "SELECT row_id, annotator, verdict, note FROM labels "
        sql += "WHERE row_id BETWEEN ? AND ? ORDER BY row_id, place"
        return map(Label._make, self._stream(sql, *self._extent(spec_id)))

    def cases(self, spec_id: int) -> Iterator[tuple[int, Case]]:
        """Stream the cases in full by row id."""
        sql = "SELECT r.id, b.body FROM rows r JOIN case_bodies b ON b.id = r.case_ref"
        for row_id, body in self._stream(
            f"{sql} WHERE r.id BETWEEN ? AND ? ORDER BY r.id", *self._extent(spec_id)
        ):
            yield row_id, load(Case, body)

    def case_rules(self, spec_id: int) -> Iterator[tuple[int, tuple[JsonObject, ...]]]:
        """Stream only the rows whose case has tool rules, with these."""
        sql = "SELECT r.id, c.rules FROM rows r JOIN cases c ON c.id = r.case_ref"
        sql += " WHERE r.id BETWEEN ? AND ? AND c.rules IS NOT NULL ORDER BY r.id"
        for row_id, rules in self._stream(sql, *self._extent(spec_id)):
            yield row_id, tuple(json.loads(rules))

    def row_ids(self, spec_id: int) -> range:
        """Return the ids of the rows in their order: they are neighbours."""
        first, last = self._extent(spec_id)
        return range(first, last + 1)


def _failure(text: str) -> Failure:
    kind, _, message = text.partition("\n")
    return Failure(FailureKind(kind), message)
