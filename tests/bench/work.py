"""`python -m tests.bench.work FILE EXPERIMENT`: the work of a gate, in seconds of CPU and of the clock."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from bothways.engine.analysis.gather import gather
from bothways.engine.gate.gate import evaluate
from bothways.store import open_store

if __name__ == "__main__":
    wall, cpu = time.perf_counter(), time.process_time()
    with open_store(Path(sys.argv[1]), create=False) as store:
        evaluate(gather(store, sys.argv[2], today="2026-01-06"))
    print(time.process_time() - cpu, time.perf_counter() - wall)  # noqa: T201 - the parent reads it
