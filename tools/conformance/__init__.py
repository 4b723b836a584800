"""Runs other projects' test suites natively and over Kumihimo, and compares what comes out."""
