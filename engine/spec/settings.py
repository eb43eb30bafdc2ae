"""The settings of an experiment: what people review, what the gate asks, how a run behaves."""

from __future__ import annotations

from typing import get_args

from bothways.engine.experiment import Attest, GateSettings, Policy, ReviewSettings, RunSettings
from bothways.engine.files.fields import Fields

__all__ = ["read_attest", "read_gate", "read_review", "read_run"]

_SHARE = "a share between 0 and 1, e.g. 0.1"


def read_review(experiment: Fields) -> ReviewSettings:
    """Read `review`."""
    usual = ReviewSettings()
    fields = experiment.child("review")
    if fields is None:
        return usual
    stakes = fields.child("high_stakes")
    audit, again = (fields.number(name, _SHARE, 0, 1) for name in ("audit", "second_look"))
    settings = ReviewSettings(
        require=fields.choice("require", ("always", "when_close", "never"), usual.require),
        high_stakes_tags=stakes.texts("tags") if stakes else (),
        blind=fields.flag("blind", usual.blind),
        audit=usual.audit if audit is None else audit,
        policy=fields.choice("policy", get_args(Policy), usual.policy),
        adjudicator=_adjudicator(fields),
        second_look=usual.second_look if again is None else again,
    )
    for part in (stakes, fields):
        if part:
            part.finish()
    return settings


def _adjudicator(fields: Fields) -> str | None:
    """Read who settles what reviewers differ on: somebody, where and only where the policy asks for one."""
    name, policy = fields.text("adjudicator").strip(), fields.text("policy")
    if policy == "adjudicator" and not name:
        fields.wrong("adjudicator", "missing", "the reviewer whose verdict counts, under this policy")
    elif "adjudicator" in fields and policy in ("", "latest", "majority"):
        found = f"a name, while the policy is {policy or 'latest'}"
        fields.wrong("adjudicator", found, "policy: adjudicator beside it")
    return name or None


def read_gate(experiment: Fields) -> GateSettings:
    """Read `gate`."""
    usual = GateSettings()
    fields = experiment.child("gate")
    if fields is None:
        return usual
    settings = GateSettings(
        threshold=fields.share("threshold", usual.threshold),
        ties=fields.choice("ties", ("count", "exclude"), usual.ties),
        rerun_margin=fields.whole("rerun_margin", usual.rerun_margin),
        max_flip_rate=fields.share("max_flip_rate", usual.max_flip_rate),
        min_answered=fields.share("min_answered", usual.min_answered),
        max_errors=fields.whole("max_errors", usual.max_errors),
        min_decided=fields.whole("min_decided", usual.min_decided),
    )
    fields.finish()
    return settings


def read_run(experiment: Fields) -> RunSettings:
    """Read `run`."""
    usual = RunSettings()
    fields = experiment.child("run")
    if fields is None:
        return usual
    settings = RunSettings(
        concurrency=fields.whole("concurrency", usual.concurrency, least=1),
        budget_usd=fields.number("budget_usd", "an amount in US dollars, 0 or more", 0),
        retries=fields.whole("retries", usual.retries),
        timeout_s=fields.number("timeout_s", "seconds, more than 0", 0.001) or usual.timeout_s,
    )
    fields.finish()
    return settings


def read_attest(experiment: Fields) -> Attest:
    """Read `attest`: an answer without a reason is none."""
    fields = experiment.child("attest")
    if fields is None:
        return Attest()
    attest = Attest(one_change=fields.required("one_change") if "one_change" in fields else None)
    fields.finish()
    return attest
