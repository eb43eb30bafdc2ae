from __future__ import annotations

import pytest
from tests.store.conftest import AT, case, experiment

from bothways.engine.errors import UsageError
from bothways.engine.experiment import Experiment
from bothways.store import Store


def test_the_same_content_has_the_same_id(store: Store) -> None:
    cases = [case(1), case(2)]
    assert store.add(experiment(), cases, AT) == store.add(experiment(), cases, "2026-08-07T09:00:00Z")
    assert len(store.specs("shop")) == 1


def test_another_case_makes_another_version(store: Store) -> None:
    old = store.add(experiment(), [case(1)], AT)
    new = store.add(experiment(), [case(1), case(2)], AT)
    assert [spec.id for spec in store.specs("shop")] == [new, old]
    assert [spec.rows for spec in store.specs("shop")] == [2, 1]


def test_going_back_to_an_old_version_makes_it_the_newest(store: Store) -> None:
    old = store.add(experiment(), [case(1)], AT)
    new = store.add(experiment(hypothesis="other"), [case(1)], AT)
    assert store.add(experiment(), [case(1)], "2026-08-07T09:00:00Z") == old
    assert [(spec.id, spec.at) for spec in store.specs("shop")] == [(old, "2026-08-07T09:00:00Z"), (new, AT)]


def test_a_spec_comes_back_as_it_was(store: Store) -> None:
    spec_id = store.add(experiment(), [case(1, reference="r", tags={"path": "refund"})], AT)
    assert store.spec(spec_id) == experiment()
    assert [found for _, found in store.cases(spec_id)] == [case(1, reference="r", tags={"path": "refund"})]


def test_experiments_are_listed_newest_first(store: Store) -> None:
    for name in ("one", "two", "one"):
        store.add(experiment(name, hypothesis=str(len(store.experiments()))), [case(1)], AT)
    assert store.experiments() == ["one", "two"]


def test_an_unknown_name_is_answered_with_the_known_ones(store: Store) -> None:
    store.add(experiment(), [case(1)], AT)
    with pytest.raises(UsageError, match="holds: shop"):
        store.specs("shpo")


def test_rows_stand_in_the_order_of_the_cases(store: Store) -> None:
    store.add(experiment("other"), [case(9)], AT)
    spec_id = store.add(experiment(), [case(3, high_stakes=False), case(1, tags={"path": "refund"})], AT)
    rows = list(store.rows(spec_id))
    assert [(row.position, row.case_id, row.high_stakes, dict(row.tags)) for row in rows] == [
        (0, "c3", False, {}),
        (1, "c1", None, {"path": "refund"}),
    ]
    assert [row.row_id for row in rows] == list(store.row_ids(spec_id))


def test_only_rows_with_tool_rules_are_streamed_with_them(store: Store) -> None:
    spec_id = store.add(experiment(), [case(1), case(2, tool_rules=({"forbid": "refund"},))], AT)
    assert list(store.case_rules(spec_id)) == [(store.row_ids(spec_id)[1], ({"forbid": "refund"},))]


def test_extending_counts_nights_and_takes_apart(store: Store) -> None:
    spec_id = store.add(experiment(), [case(1)], AT)
    assert store.extent(spec_id) == (1, 1)
    assert [store.extend(spec_id, what, AT) for what in ("night", "take", "take")] == [2, 2, 3]
    assert store.extent(spec_id) == (2, 3)


def test_an_edited_spec_keeps_the_nights_and_takes_of_its_experiment(store: Store) -> None:
    before = store.add(experiment(), [case(1)], AT)
    other = store.add(experiment("other"), [case(1)], AT)
    store.extend(before, "night", AT)
    edited = store.add(experiment(), [case(1, tags={"path": "refund"})], AT)
    store.extend(edited, "take", AT)
    assert store.extent(before) == store.extent(edited) == (2, 2)
    assert store.extent(other) == (1, 1)


def placed(folder: str) -> Experiment:
    """The same project, laid out in a folder."""
    made = experiment()
    places = {"replay": f"{folder}/answers.jsonl", "folder": folder}
    variants = [variant.model_copy(update=places) for variant in made.variants]
    assert made.judge is not None
    judge = made.judge.model_copy(update={"replay": f"{folder}/judge.jsonl"})
    return made.model_copy(update={"baseline": variants[0], "candidates": (variants[1],), "judge": judge})


def test_a_copied_project_is_the_same_spec_and_runs_from_where_it_lies_now(store: Store) -> None:
    first = store.add(placed("/one"), [case(1)], AT)
    assert store.add(placed("/two"), [case(1)], AT) == first
    assert len(store.specs("shop")) == 1
    assert store.spec(first) == placed("/two")
    assert store.add(placed("/one"), [case(1)], AT) == first
    assert store.spec(first) == placed("/one")
    assert placed("/one").digest == placed("/two").digest != experiment(hypothesis="other").digest
