"""`bothways show`: one experiment in full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from bothways.app.cli.database import newest, opened
from bothways.app.cli.options import experiment_argument, json_option, subcommand
from bothways.app.streams import put, put_json
from bothways.engine.text import counted, usd

if TYPE_CHECKING:
    from bothways.app.reading import Gate
    from bothways.engine.experiment import Experiment
    from bothways.engine.facts import JsonObject
    from bothways.engine.ledger import Progress, SpecInfo
    from bothways.store import Store

__all__ = ["command"]


@subcommand("show", "bothways show refund-flow", "bothways show refund-flow --json")
@experiment_argument
@json_option
def command(experiment: str, as_json: bool) -> None:
    """Show EXPERIMENT: what it compares, how far it is, its runs, reviews and decisions."""
    with opened() as store, store.view():
        info = newest(store, experiment)
        spec, progress = store.spec(info.id), store.progress(info.id)
        if as_json:
            put_json(_object(store, info, spec, progress))
        else:
            put(_text(store, info, spec, progress))


def _object(store: Store, info: SpecInfo, spec: Experiment, progress: Progress) -> dict[str, object]:
    from bothways.app.reading import gates
    from bothways.engine.analysis.outdated import outdated
    from bothways.engine.decisions import checked

    return {
        "experiment": info.experiment,
        "spec_id": info.id,
        "at": info.at,
        "rows": info.rows,
        "judges": list(info.judges),
        "spec": spec.model_dump(mode="json"),
        "progress": asdict(progress),
        "runs": [asdict(run) for run in store.runs(info.experiment)],
        "review_records": len(store.records(info.experiment, "review")),
        "gates": [_gate_object(gate) for gate in gates(store, info)],
        "reviews_outdated": [
            {"candidate": candidate, "case": case} for candidate, case in outdated(store, info.id)
        ],
        "decisions": [{**one.record.body, **one.as_json()} for one in checked(store, info.experiment)],
    }


def _gate_object(gate: Gate) -> JsonObject:
    """Return how a gate stands, with what people did and what it all cost as the gate's own JSON says it."""
    from bothways.engine.gate.json import as_json

    figures = {} if gate.result is None else as_json(gate.result)
    return {**gate.as_json(), "reviews": figures.get("reviews"), "costs": figures.get("costs")}


def _text(store: Store, info: SpecInfo, spec: Experiment, progress: Progress) -> str:
    from bothways.app.reading import gates
    from bothways.engine.analysis.outdated import outdated, outdated_words
    from bothways.engine.change import one_change
    from bothways.engine.decisions import checked

    standing = gates(store, info)
    changes = [(c.name, one_change(spec.baseline, c).sentence) for c in spec.candidates]
    lines = [
        ("experiment", info.experiment),
        ("hypothesis", spec.hypothesis),
        ("follows", spec.follows or ""),
        ("rows", str(info.rows)),
        ("baseline", spec.baseline.name),
        *(("candidate", f"{name}: {sentence}") for name, sentence in changes),
        ("judges", ", ".join(info.judges)),
        ("answers", f"{progress.answers.done} of {progress.expected_answers}"),
        ("passes", f"{progress.passes.done} of {progress.expected_passes}"),
        ("spent", _spent(progress)),
        *(("failed", f"{count} × {kind}: {message}") for kind, (count, message) in progress.errors.items()),
        *(
            ("run", f"{run.started_at} {'running' if run.alive else run.state}")
            for run in store.runs(info.experiment)
        ),
        *(line for gate in standing for line in _gate(gate, several=len(standing) > 1)),
        ("outdated", outdated_words(len(old)) if (old := outdated(store, info.id)) else ""),
        *(
            ("signed", f"{one.words}: {one.validity.value}; {one.why}")
            for one in checked(store, info.experiment)
        ),
    ]
    return "\n".join(f"{name:<10}  {value}" for name, value in lines if value)


def _gate(gate: Gate, *, several: bool) -> Iterator[tuple[str, str]]:
    """Yield how a gate stands, what people did for it, and what the answers and passes behind it cost."""
    from bothways.engine.gate.honest import people

    name = f"{gate.candidate}{f' by {gate.judge}' if gate.judge else ''}: "
    decision = gate.decision.replace("_", " ") if gate.decision else "bothways gate computes it"
    yield "gate now", f"{name}{decision}"
    if gate.result is not None:
        whose = name if several else ""
        yield from ((fact.label, f"{whose}{fact.value}") for fact in people(gate.result.figures))
        costs = {side: of for side, of in gate.result.figures.costs.items() if of.calls}
        if costs:
            yield "cost", whose + ", ".join(f"{side} {of.words}" for side, of in costs.items())


def _spent(progress: Progress) -> str:
    """Say what the calls of its runs cost here; what a recording says of others' calls is none of it."""
    unknown = (
        f", and {counted(progress.unknown_costs, 'call')} of unknown cost" if progress.unknown_costs else ""
    )
    lost = f"; {progress.possibly_billed} lost in flight, possibly billed" if progress.possibly_billed else ""
    known = progress.cost_usd or progress.unknown_costs < progress.calls or not progress.calls
    spent = usd(progress.cost_usd, 4) if known else "unknown"
    return f"{spent} in {counted(progress.calls, 'call')}{unknown if known else ''}{lost}"
