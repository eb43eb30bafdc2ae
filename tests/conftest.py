"""What holds for every test: how long something takes on this machine, just now, makes none of them fail."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "unhurried", parent=settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unhurried")
