"""One page that needs nothing else, on which nothing that somebody wrote is obeyed."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.people import Desk
from tests.engine.report.hostile import attacked, rendered
from tests.engine.shop import ledger

from bothways.engine.analysis.gather import gather
from bothways.engine.facts import Answer, JsonObject, ToolCall
from bothways.engine.gate.gate import evaluate
from bothways.engine.report.html.charts import Bars, Ranges, charts
from bothways.engine.report.html.words import Run, runs
from bothways.engine.report.matters import MOST_ROWS, MOST_TEXT
from bothways.engine.review import Act, Said, act

OURS = {
    "html", "head", "meta", "title", "style", "body", "svg", "defs", "pattern", "rect", "circle", "line",
    "text", "header", "nav", "main", "section", "footer", "h1", "h2", "h4", "p", "a", "b", "ul", "li", "dl",
    "div", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "span", "bdi",
    "figure", "figcaption", "ins", "del", "code", "time",
}  # fmt: skip


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.said: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in ("meta", "rect", "circle", "line"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    @property
    def text(self) -> str:
        return "".join(self.said)


def figures(facts: FakeLedger) -> dict[str, Bars | Ranges]:
    return dict(charts(evaluate(gather(facts, facts.experiment.name, today=AT)).figures))


def test_what_somebody_wrote_makes_no_element_and_no_attribute() -> None:
    page = Page(rendered(attacked(), "html"))
    assert page.tags <= OURS
    assert not page.open
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    targets = [value or "" for name, value in page.attributes if name in ("href", "src")]
    assert targets
    assert all(target.startswith("#") for target in targets)


def test_what_somebody_wrote_is_there_to_be_read() -> None:
    page = Page(rendered(attacked(), "html"))
    assert "<script>document.title='owned'</script>" in page.text
    assert "{{7*7}} {% raw %} 1<2 & 3 a|b" in page.text
    assert "␛]52;c;QUJD␇␀␈ \\u202e@all \\ufffe" in page.text


def test_control_characters_are_marks() -> None:
    page = rendered(attacked(), "html")
    assert not [c for c in page if c != "\n" and (not c.isprintable() or ord(c) in range(0x7F, 0xA0))]


def test_the_policy_allows_the_style_and_nothing_else() -> None:
    page = rendered(ledger("refund-flow"), "html")
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'; form-action 'none'" in page
    assert " style=" not in page
    assert "url(http" not in page
    assert "@import" not in page


def test_the_page_holds_the_figures_of_the_article() -> None:
    text = Page(rendered(ledger("refund-flow"), "html")).text
    for figure in ("DO NOT SHIP", "11 of 30 (36.7 %)", "11 of 29 (37.9 %)", "p = 0.264931", "18.1 %"):
        assert figure in text


def test_every_chart_stands_in_its_section_and_says_what_it_shows() -> None:
    facts = ledger("refund-flow")
    facts.data = [
        replace(r, answers=tuple((name, replace(a, cost_usd=0.5)) for name, a in r.answers if a))
        for r in facts.data
    ]
    page = rendered(facts, "html")
    found = figures(facts)
    assert set(found) == {"Decision", "Rows the judge did not decide", "How sure", "Costs"}
    for title, chart in found.items():
        section = page[page.index(f"<h2>{title}</h2>") :].split("</section>")[0]
        assert f"{chart.title}. {chart.words}" in section


def test_the_tallies_are_drawn_as_long_as_they_are_counted() -> None:
    chart = figures(ledger("refund-flow"))["Decision"]
    assert isinstance(chart, Bars)
    widths = [[(part.series, part.width) for part in bar.segments] for bar in chart.bars]
    assert widths[0] == [("candidate", 52.5), ("baseline", 45.0), ("tie", 2.5)]
    assert widths[2] == [("candidate", 27.5), ("baseline", 45.0), ("tie", 2.5), ("undecided", 25.0)]
    assert chart.bars[2].words == "candidate 11, baseline 18, tie 1, undecided 10"


def test_the_interval_lies_where_the_gate_says_it_does() -> None:
    chart = figures(ledger("refund-flow"))["How sure"]
    assert isinstance(chart, Ranges)
    one = chart.ranges[0]
    assert chart.threshold == 60
    assert one.low == pytest.approx(21.87)
    assert one.high == pytest.approx(54.49)
    assert one.value == pytest.approx(100 * 11 / 30, abs=0.001)


def test_a_corrected_win_rate_is_drawn_where_there_is_one() -> None:
    facts = ledger("refund-flow")
    known = evaluate(gather(facts, "refund-flow", today=AT)).figures
    corrected: JsonObject = {"value": 0.5, "interval95": [0.25, 0.75]}
    chart = charts({**known, "judge_accuracy": {"corrected": corrected}})["How sure"]
    assert isinstance(chart, Ranges)
    assert [(one.value, one.low, one.high) for one in chart.ranges][-1] == (50, 25, 75)


def test_without_rows_there_is_no_chart_and_still_a_page() -> None:
    facts = FakeLedger(ledger("refund-flow").experiment, [])
    assert figures(facts) == {}
    assert "INCONCLUSIVE" in rendered(facts, "html")


def test_words_that_one_answer_has_alone_are_marked() -> None:
    assert runs("a b c", "a x c") == (
        (Run("a ", False), Run("b", True), Run(" c", False)),
        (Run("a ", False), Run("x", True), Run(" c", False)),
    )


def test_a_missing_answer_marks_no_word() -> None:
    assert runs("", "all of it") == ((Run("", False),), (Run("all of it", False),))


def lost(count: int, text: str = "old") -> FakeLedger:
    facts = ledger("refund-flow")
    one = facts.data[11]
    answers = (("v4", Answer(text)), ("v5", Answer("new")))
    facts.data = [
        replace(one, case=replace(one.case, id=f"r{n}"), answers=answers) for n in range(1, count + 1)
    ]
    return facts


def test_ten_thousand_rows_stay_one_page_and_what_is_left_out_is_counted() -> None:
    page = rendered(lost(10_000), "html")
    assert len(page) < 6_000_000
    assert page.count('<details class="row"') == MOST_ROWS
    assert f"{10_000 - MOST_ROWS:,} more rows matter" in page
    assert all(f"<bdi>r{n}</bdi>" in page for n in (1, 9_999, 10_000))


def test_what_is_not_shown_of_a_text_is_counted() -> None:
    page = rendered(lost(1, "x" * 200_000), "html")
    assert "x" * MOST_TEXT in page
    assert "x" * (MOST_TEXT + 1) not in page
    assert f"… {200_000 - MOST_TEXT} more characters are not shown" in page


def test_long_texts_do_not_add_up_to_a_page_without_end() -> None:
    page = rendered(lost(500, "x" * 200_000), "html")
    assert len(page) < 6_000_000
    shown = page.count('<details class="row"')
    assert f"{500 - shown:,} more rows matter" in page


def test_a_row_shows_its_tool_calls_side_by_side() -> None:
    facts = lost(1)
    (one,) = facts.data
    before, after = ToolCall("get_order", {"id": "7"}), ToolCall("get_order", {"id": "8"})
    answers = (
        ("v4", Answer("a", tool_calls=(before,))),
        ("v5", Answer("b", tool_calls=(after, ToolCall("refund")))),
    )
    facts.data = [replace(one, answers=answers)]
    page = rendered(facts, "html")
    assert "now calls refund" in page
    row = page[page.index("≠ arguments") :].split("</tr>")[0]
    assert "get_order {&#34;id&#34;:&#34;7&#34;}" in row
    assert "get_order {&#34;id&#34;:&#34;8&#34;}" in row
    assert "+ new" in page


def test_reviews_are_shown_with_their_notes_also_what_was_undone() -> None:
    facts = lost(1)
    for what, note in ((Act.CANDIDATE, "because"), (Act.UNDO, "")):
        evidence = gather(facts, "refund-flow", today=AT)
        row = evidence.rows[0]
        body = act(facts, evidence, evaluate(evidence), row, what, Said("kim", AT, note, reason=note))
        facts.append("review", body, AT)
    text = Page(rendered(facts, "html")).text
    assert "kim: v5 (undone), 2026-08-06" in text
    assert "because" in text


def test_a_verdict_that_was_cleared_or_given_anew_is_shown_as_replaced() -> None:
    desk = Desk("bb").does(Act.CANDIDATE).does(Act.TIE).does(Act.CLEAR)
    text = Page(rendered(desk.facts, "html")).text
    assert "kim: v5 (replaced)" in text
    assert "kim: tie (replaced)" in text
    assert "kim: clear, " in text
    assert "of these blind" not in text


def test_the_letters_of_the_judge_are_explained_in_each_pass() -> None:
    text = Page(rendered(lost(1), "html")).text
    assert "A in its reasons is v4, B in its reasons is v5" in text
    assert "A in its reasons is v5, B in its reasons is v4" in text
