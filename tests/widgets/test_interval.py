from __future__ import annotations

import pytest

from bothways.widgets.pages.interval import interval_bar


def bar(low: float, value: float, high: float, threshold: float, width: int = 20) -> str:
    drawn = "".join(run.text for run in interval_bar(low, value, high, threshold, width)[0])
    return drawn.removeprefix("  0 % ").removesuffix(" 100 %")


def test_interval_value_and_threshold_stand_where_they_are() -> None:
    assert bar(0.20, 0.35, 0.54, 0.60) == "····━━━●━━━·┃·······"


@pytest.mark.parametrize(("value", "drawn"), [(0.599, "●┃"), (0.60, "┃●"), (0.601, "┃●")])
def test_a_value_beside_its_threshold_stands_on_its_own_side(value: float, drawn: str) -> None:
    assert drawn in bar(0.5, value, 0.7, 0.60)


@pytest.mark.parametrize(("low", "value", "high"), [(0.0, 0.0, 0.3), (0.7, 1.0, 1.0)])
def test_the_ends_of_the_scale_are_in_it(low: float, value: float, high: float) -> None:
    drawn = bar(low, value, high, 1.0 if value else 0.0)
    assert len(drawn) == 20
    assert "●" in drawn
    assert "┃" in drawn
