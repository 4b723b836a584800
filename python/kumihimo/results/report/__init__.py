"""The report: one HTML file with everything in it."""

from __future__ import annotations

from kumihimo.results.report.page import report_page

__all__ = ["report_page"]
