"""Which rows stand without an answer or a verdict, by the kind of failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bothways.app.desk.sitting import Sitting

__all__ = ["failed_cases"]


def failed_cases(sitting: Sitting, experiment: str, kind: str) -> tuple[str, ...]:
    """Return the cases on which the newest try of an answer or a pass failed in this way, in row order.

    It walks over the whole experiment: this belongs into a thread.
    """
    with sitting.open() as store, store.view():
        spec_id = store.specs(experiment)[0].id
        failed = {
            fact.row_id
            for facts in (store.answers(spec_id), store.passes(spec_id))
            for fact in facts
            if fact.failure is not None and fact.failure.kind == kind
        }
        return tuple(row.case_id for row in store.rows(spec_id) if row.row_id in failed)
