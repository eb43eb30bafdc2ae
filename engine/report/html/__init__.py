"""The report as one self-contained page: no script, nothing from elsewhere, charts drawn from the figures."""

from bothways.engine.report.html.page import html

__all__ = ["html"]
