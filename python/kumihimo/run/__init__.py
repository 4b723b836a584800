"""Running a program: from the command line to the result folder.

The way of a run, one module per step: `options` (what was asked), `program` (what to start),
`environment` (how), `supervise` with `evidence`, `verdicts` and `watchdog` (what happened),
`ending` (what is said of it), `session` (all of it in order).
"""
