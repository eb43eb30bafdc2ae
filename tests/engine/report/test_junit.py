"""XML that a CI system reads, green only where the gate says SHIP."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from tests.engine.ledger_fake import AT, FakeLedger
from tests.engine.report.hostile import attacked, rendered
from tests.engine.shop import EXPERIMENTS, ledger

from bothways.engine.analysis.gather import gather
from bothways.engine.gate.gate import evaluate
from bothways.engine.gate.model import Decision, GateResult

# What the schema that Jenkins publishes allows (junit-10.xsd); an element's first set is what it must have.
ATTRIBUTES: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "disabled", "errors"}),
    "testsuite": (
        {"name", "tests"},
        {"failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"},
    ),
    "properties": (set(), set()),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "classname"}, {"assertions", "time", "status"}),
    "failure": (set(), {"type", "message"}),
    "error": (set(), {"type", "message"}),
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "properties": {"property"},
    "testcase": {"failure", "error"},
}


def suite_of(facts: FakeLedger) -> ElementTree.Element:
    suites = ElementTree.fromstring(rendered(facts, "junit"))
    (suite,) = suites
    return suite


def gate_of(facts: FakeLedger) -> GateResult:
    return evaluate(gather(facts, facts.experiment.name, today=AT))


def ends(suite: ElementTree.Element, group: str) -> dict[str, str]:
    """Return how each test case of a group ended, by its name."""
    return {
        case.attrib["name"]: next((child.tag for child in case), "passed")
        for case in suite.iter("testcase")
        if case.attrib["classname"].endswith(f".{group}")
    }


def shipping(stakes: str = "") -> FakeLedger:
    """Shipping-tool, in which nothing is required, or one row that said so is of high stakes."""
    return ledger("shipping-tool", {stakes: 1} if stakes else None)


ALL = {
    **{name: ledger(name) for name in EXPERIMENTS},
    "waiting": shipping("cc"),
    "lost": shipping("bb"),
    "nothing": FakeLedger(ledger("refund-flow").experiment, []),
    "attacked": attacked(),
}


@pytest.mark.parametrize("name", ALL)
def test_the_suite_passes_only_where_the_gate_ships(name: str) -> None:
    suite, result = suite_of(ALL[name]), gate_of(ALL[name])
    red = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
    assert (red == 0) == (result.decision is Decision.SHIP)


def test_one_of_them_ships() -> None:
    assert gate_of(shipping()).decision is Decision.SHIP


@pytest.mark.parametrize("name", ALL)
def test_the_counts_are_those_of_the_cases(name: str) -> None:
    suite = suite_of(ALL[name])
    for count, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        assert int(suite.attrib[count]) == len(list(suite.iter(tag)))
    assert suite.attrib["skipped"] == "0"


@pytest.mark.parametrize("name", ALL)
def test_it_holds_what_the_schema_allows_and_nothing_else(name: str) -> None:
    elements = list(ElementTree.fromstring(rendered(ALL[name], "junit")).iter())
    assert {"testsuites", "testsuite", "testcase"} <= {element.tag for element in elements}
    for element in elements:
        must, may = ATTRIBUTES[element.tag]
        assert must <= set(element.attrib) <= must | may
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())


def test_conditions_end_as_the_gate_says() -> None:
    facts = ledger("refund-flow")
    tags = {"pass": "passed", "fail": "failure", "unknown": "error"}
    expected = {c.name: tags[c.state.value] for c in gate_of(facts).conditions}
    found = ends(suite_of(facts), "gate")
    assert found.pop("decision") == "failure"
    assert found == expected
    assert {"failure", "passed"} <= set(found.values())


def test_high_stakes_rows_are_cases_of_their_own() -> None:
    facts = ledger("shipping-tool", {"cc": 1, "bb": 1, "cb": 1}, min_decided=10)
    settings = facts.experiment.review.model_copy(update={"require": "never"})
    facts.experiment = facts.experiment.model_copy(update={"review": settings})
    assert sorted(ends(suite_of(facts), "rows").values()) == ["error", "failure", "passed"]


def test_a_row_that_waits_for_a_person_has_not_passed() -> None:
    assert list(ends(suite_of(shipping("cc")), "rows").values()) == ["error"]


def test_a_failed_row_quotes_the_judge() -> None:
    facts = shipping("bb")
    facts.data = [
        replace(r, passes=tuple(replace(p, rationale="too terse") for p in r.passes)) for r in facts.data
    ]
    (failure,) = [f for f in suite_of(facts).iter("failure") if f.attrib["message"] == "lost to v4"]
    assert "judge, second pass (A is v5, B is v4): v4\ntoo terse" in (failure.text or "")


def test_the_figures_are_properties() -> None:
    properties = {
        p.attrib["name"]: p.attrib["value"] for p in suite_of(ledger("refund-flow")).iter("property")
    }
    assert properties["win_rate.wins"] == "11"
    assert properties["win_rate.of"] == "30"
    assert properties["outcomes.flip_hard"] == "2"
    assert properties["costs.judge.cost_usd"] == "unknown"


def test_the_time_is_what_the_row_took() -> None:
    facts = shipping("bb")
    facts.data = [
        replace(r, answers=tuple((n, replace(a, duration_s=1.25)) for n, a in r.answers if a))
        for r in facts.data
    ]
    assert suite_of(facts).attrib["time"] == "2.500"


def test_any_text_is_valid_xml() -> None:
    text = rendered(attacked(), "junit")
    assert text.isascii()
    assert "owned" in text
    name = ElementTree.fromstring(text)[0].attrib["name"]
    assert "␛]52;c;QUJD␇␀␈ \\u202e@all \\ufffe" in name
