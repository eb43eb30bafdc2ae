from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bothways.widgets.words import Words

NOTE = "first\tcolumn\r\n\x1b[31mred\n\u240a is a picture\n\nlast  "


@given(st.text())
def test_what_nobody_changed_is_what_it_was(text: str) -> None:
    assert Words(text).words == text


@pytest.mark.parametrize("more", ["\nmore", " more"])
def test_a_line_that_nobody_changed_is_what_it_was(more: str) -> None:
    words = Words(NOTE)
    words.text += more
    assert words.words == NOTE + more


def test_a_line_that_is_changed_keeps_its_tabs() -> None:
    words = Words(NOTE)
    words.text = words.text.replace("column", "row")
    assert words.words == NOTE.replace("column\r", "row\u240d").strip()
