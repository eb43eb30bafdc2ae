"""The files of a new project: small, complete, and with comments that teach."""

from __future__ import annotations

from bothways.engine.spec.comments import COMMENTS, PATHS

__all__ = ["scaffold"]


def scaffold() -> dict[str, str]:
    """Return the text of each file by its path relative to the project's folder."""
    return {
        "experiment.yaml": _EXPERIMENT,
        "cases.jsonl": _CASES,
        "prompts/v1.md": _PROMPT,
        "prompts/v2.md": _PROMPT.replace(_OLD_LINE, _NEW_LINE),
    }


_EXPERIMENT = f"""\
# One experiment: is v2 better than v1 on the same cases? Try it:
#   bothways check experiment.yaml    what it will do and cost; calls nobody
#   bothways run experiment.yaml      answers, then the judge, both ways round
#   bothways review "short answers"   read the pairs that matter
#   bothways gate "short answers"     may it ship?
{PATHS}
name: short answers
cases: cases.jsonl                 # JSON lines, JSON, YAML or CSV
# map: {{input: question}}           # where the columns have other names

{COMMENTS["baseline"]}baseline:
  name: v1
  model: openai/gpt-4o-mini        # any litellm model; or http:, function:, command:, replay:
  # endpoint: http://localhost:8000/v1   any server that speaks OpenAI's API
  prompt: prompts/v1.md
  params: {{temperature: 0.2}}

{COMMENTS["candidates"]}candidates:
  - name: v2
    prompt: prompts/v2.md

{COMMENTS["judge"]}judge:
  model: anthropic/claude-sonnet-4-5
  # prompt: prompts/judge.md       # your own instead of ours
  # criteria: [correct, polite, no promises that the policy does not make]

{COMMENTS["hypothesis"]}hypothesis: customers find the answer faster when it comes in the first sentence

{COMMENTS["review"]}review:
  high_stakes: {{tags: [refund, checkout]}}

# What it takes to ship; these are the defaults.
gate: {{threshold: 0.60, max_flip_rate: 0.30, min_answered: 0.90, min_decided: 10}}

run: {{concurrency: 20, budget_usd: 5}}
"""

_CASES = """\
{"id": "where-is-it", "input": "I ordered a kettle last Thursday and it still says 'packed'. When will it be here?", "context": "Orders leave the warehouse within 2 working days; delivery takes 3 more.", "tags": {"path": "shipping"}}
{"id": "opened-box", "input": "I opened the headphones but they pinch. Can I still send them back?", "context": "Returns within 30 days. Opened audio products: store credit only.", "reference": "Yes, within 30 days, for store credit.", "tags": {"path": "refund"}}
{"id": "paid-twice", "input": "My bank shows two payments for one order!!", "context": "A second authorisation drops off within 5 days by itself; a second capture is refunded by support.", "tags": {"path": "checkout"}, "checks": [{"max_chars": 600}]}
{"id": "change-address", "input": "hi, moved house, new address pls for order 4417", "context": "The address can be changed until an order is packed.", "tags": {"path": "account"}}
"""  # noqa: E501 (one case is one line)

_OLD_LINE = "Be helpful and explain everything that might matter."
_NEW_LINE = "Answer in the first sentence, then give at most two sentences of detail."
_PROMPT = f"""\
You answer customers of an online shop.

Use only what stands in the context. If it does not hold the answer, say so and offer to ask a colleague.
{_OLD_LINE}
Never promise a refund that the policy does not give.
"""
