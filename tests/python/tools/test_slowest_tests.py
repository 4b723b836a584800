"""The slowest tests of ctest and pytest in one list."""

from pathlib import Path

from slowest_tests import slowest

UNIT = """<testsuite name="(empty)">
<testcase name="base/Arena.Grows" classname="base/Arena.Grows" time="0.5" status="run"/>
<testcase name="base/Arena.Ends" classname="base/Arena.Ends" time="2" status="run"/>
</testsuite>"""
PYTHON = """<testsuites><testsuite name="pytest">
<testcase classname="tests.system.test_hpcc" name="test_runs[4]" time="11.25"/>
</testsuite></testsuites>"""


def test_the_slowest_of_all_files_come_first(tmp_path: Path) -> None:
    unit, python = tmp_path / "unit.xml", tmp_path / "python.xml"
    unit.write_text(UNIT)
    python.write_text(PYTHON)
    assert slowest([unit, python], shown=2) == [
        "   11.25 s  python  tests.system.test_hpcc::test_runs[4]",
        "    2.00 s  unit    base/Arena.Ends",
    ]
