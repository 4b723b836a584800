"""Schedules of programs: files, patterns, and what is in one."""
