"""Studies: questions that many runs answer, each with a page."""
