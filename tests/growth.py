"""How work grows with its size: a figure that is the same on a slow machine and a busy one."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

__all__ = ["grows_like_its_size"]

TIMES = 4
"""How much larger the large one is: work that grows with the square of its size takes 16 times as long."""
MOST = 8.0
"""Halfway, in the sense of proportions, between four times and sixteen."""
TRIES = 8


def grows_like_its_size(work: Callable[[int], Callable[[], object]], large: int) -> bool:
    """Say whether the large work takes about as many times longer than the small as it is larger.

    `work` prepares what is measured. One measurement in several that says so is enough: something else that
    the machine does makes one of the two slower, but quadratic work is never seen as linear.
    """
    few, many = work(large // TIMES), work(large)
    return any(_took_s(many) <= MOST * _took_s(few) for _ in range(TRIES))


def _took_s(work: Callable[[], object]) -> float:
    """Return the seconds that the processor, not the clock on the wall, says it took.

    No garbage is looked for meanwhile: that takes as long as all that other tests have left is large.
    """
    gc.collect()
    gc.disable()
    try:
        began, times = time.process_time(), 0
        while (took := time.process_time() - began) < 0.01:
            work()
            times += 1
        return took / times
    finally:
        gc.enable()
