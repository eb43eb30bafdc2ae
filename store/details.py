"""One row, or one answer, in full; and which units are there already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bothways.engine.errors import StoreError
from bothways.engine.facts import Answer, Case, PassResult, load
from bothways.engine.keys import canonical
from bothways.engine.ledger import AnswerRef, AnswerUnit, Label, PassUnit, RowDetail
from bothways.store.names import shown_names
from bothways.store.part import Part

__all__ = ["Details"]

_ANSWERS = """
SELECT u.key, v.name, l.slot, l.night, l.repeat, b.body, n.at
FROM row_answers l JOIN units u ON u.id = l.unit_id JOIN variants v ON v.id = l.variant_id
LEFT JOIN answers n ON n.id = (SELECT max(id) FROM answers WHERE unit_id = l.unit_id)
LEFT JOIN answer_bodies b ON b.id = n.id
WHERE l.row_id = ? ORDER BY l.slot, l.night, l.repeat
"""
_PASSES = """
SELECT u.key, j.name, o.name, l.ord, l.night, l.repeat, l.take, b.body, n.at
FROM row_passes l JOIN units u ON u.id = l.unit_id JOIN judges j ON j.id = l.judge_id
JOIN orders o ON o.id = l.order_id
LEFT JOIN passes n ON n.id = (SELECT max(id) FROM passes WHERE unit_id = l.unit_id)
LEFT JOIN pass_bodies b ON b.id = n.id
WHERE l.row_id = ? ORDER BY l.night, l.repeat, l.take, l.ord, l.judge_id, l.order_id
"""
_DONE = """
SELECT u.key, n.id{columns} FROM json_each(?) k JOIN units u ON u.key = k.value
JOIN {table} n ON n.unit_id = u.id WHERE n.failure_kind IS NULL
"""
_TRIES = """
SELECT u.key, (SELECT count(*) FROM answers WHERE unit_id = u.id AND failure_kind IS NOT NULL)
  + (SELECT count(*) FROM passes WHERE unit_id = u.id AND failure_kind IS NOT NULL) AS tries
FROM json_each(?) k JOIN units u ON u.key = k.value WHERE tries > 0
"""
# SQLite ends a text of JSON at its first NUL: it is searched with the mark that stands for it on a screen.
_ASKED = r"""
SELECT r.id, m.value ->> 'content' FROM rows r JOIN case_bodies b ON b.id = r.case_ref,
  json_each(replace(b.body, '\u0000', '\u2400'), '$.messages') m
WHERE r.id BETWEEN ? AND ?
"""
_KEYS_A_QUERY = 10_000
_PROBES = 64
_PAIRINGS = """
SELECT DISTINCT e.name, b.name, o.name, substr(n.at, 1, 10)
FROM json_each(?) k JOIN answers a ON a.digest = k.value
JOIN row_answers l ON l.unit_id = a.unit_id AND l.slot = 0 JOIN variants b ON b.id = l.variant_id
JOIN specs s ON s.id = (SELECT id FROM specs WHERE first_row <= l.row_id ORDER BY first_row DESC LIMIT 1)
JOIN experiments e ON e.id = s.experiment_id
JOIN row_passes p ON p.row_id = l.row_id JOIN orders o ON o.id = p.order_id
JOIN passes n ON n.unit_id = p.unit_id
WHERE a.failure_kind IS NULL
"""


class Details(Part):
    """Read single rows and answers, and look units up by their keys."""

    def row(self, row_id: int) -> RowDetail:
        """Return one row in full."""
        found = self._one(
            "SELECT (SELECT max(first_row) FROM specs WHERE first_row <= r.id), b.body "
            "FROM rows r JOIN case_bodies b ON b.id = r.case_ref WHERE r.id = ?",
            row_id,
        )
        if found is None:
            raise StoreError(f"there is no row {row_id} in {self._path}")
        first, body = found
        labels = self._all(
            "SELECT annotator, verdict, note FROM labels WHERE row_id = ? ORDER BY place", row_id
        )
        return RowDetail(
            row_id,
            row_id - first,
            load(Case, body),
            tuple(_answered(row_id, *found) for found in self._all(_ANSWERS, row_id)),
            tuple(_passed(row_id, *found) for found in self._all(_PASSES, row_id)),
            tuple(Label(row_id, *label) for label in labels),
        )

    def case(self, row_id: int) -> Case:
        """Return one row's case in full."""
        sql = "SELECT b.body FROM rows r JOIN case_bodies b ON b.id = r.case_ref WHERE r.id = ?"
        found = self._one(sql, row_id)
        if found is None:
            raise StoreError(f"there is no row {row_id} in {self._path}")
        return load(Case, found[0])

    def rows_asking(self, spec_id: int, text: str) -> set[int]:
        """Return the ids of the rows in whose messages a text stands; case counts in no script.

        Both are casefolded, so `strasse` finds `Straße`: by Python, as the LIKE of SQLite folds ASCII only.
        """
        wanted = text.casefold()
        asked = self._stream(_ASKED, *self._extent(spec_id))
        return {row_id for row_id, content in asked if content and wanted in content.casefold()}

    def answer(self, answer_id: int) -> Answer:
        """Return one answer in full."""
        found = self._one("SELECT body FROM answer_bodies WHERE id = ?", answer_id)
        if found is None:
            raise StoreError(f"there is no answer {answer_id} in {self._path}")
        return load(Answer, found[0])

    def answers_by_key(self, keys: Sequence[str]) -> dict[str, AnswerRef]:
        """Return those of the keyed answers that are there; failures are not."""
        sql = _DONE.format(columns=", n.digest, n.cost_usd, n.duration_s", table="answers")
        return {key: AnswerRef(*answer) for key, *answer in self._by_key(sql, keys)}

    def passes_done(self, keys: Sequence[str]) -> set[str]:
        """Return those of the keys whose pass has been finished (an unreadable one is not)."""
        return {key for key, _ in self._by_key(_DONE.format(columns="", table="passes"), keys)}

    def tries(self, keys: Sequence[str]) -> dict[str, int]:
        """Return how often each unit was tried in vain (those never tried so are left out)."""
        return dict(self._by_key(_TRIES, keys))

    def _by_key(self, sql: str, keys: Sequence[str]) -> Iterator[Any]:
        for start in range(0, len(keys), _KEYS_A_QUERY):
            yield from self._stream(sql, canonical(list(keys[start : start + _KEYS_A_QUERY])))

    def pairings(self, baseline_digests: Sequence[str]) -> list[tuple[str, str, str]]:
        """Return (experiment, candidate, date) of everything that was judged against this snapshot.

        A snapshot is used whole, so a few dozen of its answers, evenly chosen, tell who used it.
        """
        step = -(-len(baseline_digests) // _PROBES) or 1
        probes = canonical(list(dict.fromkeys(baseline_digests[::step])))
        found = {
            (experiment, variant, day)
            for experiment, baseline, shown, day in self._stream(_PAIRINGS, probes)
            for variant in shown_names(shown)
            if baseline in shown_names(shown) and variant != baseline
        }
        return sorted(found, key=lambda pairing: (pairing[2], *pairing))


def _answered(
    row_id: int, key: str, variant: str, slot: int, night: int, repeat: int, body: str | None, at: str | None
) -> tuple[AnswerUnit, Answer | None, str]:
    unit = AnswerUnit(key, row_id, variant, slot, night, repeat)
    return unit, None if body is None else load(Answer, body), at or ""


def _passed(
    row_id: int, key: str, judge: str, shown: str, order: int, night: int, repeat: int, take: int,
    body: str | None, at: str | None,
) -> tuple[PassUnit, PassResult | None, str]:  # fmt: skip
    unit = PassUnit(key, row_id, judge, shown_names(shown), order, night, repeat, take)
    return unit, None if body is None else load(PassResult, body), at or ""
