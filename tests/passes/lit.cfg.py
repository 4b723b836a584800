"""How lit runs the tests of the compiler plug-in: `lit tests/passes`."""

import sys
from pathlib import Path

import lit.formats

from kumihimo.installed import installed_path

_LLVM = "/usr/lib/llvm-19/bin"

config.name = "passes"  # noqa: F821 (lit gives it to this file)
config.test_format = lit.formats.ShTest()  # noqa: F821
config.suffixes = [".ll", ".c", ".cpp", ".f90"]  # noqa: F821
config.excludes = ["Inputs"]  # noqa: F821
config.test_source_root = str(Path(__file__).parent)  # noqa: F821
config.test_exec_root = str(Path(__file__).parents[2] / "build" / "tests" / "passes")  # noqa: F821
_plugin = installed_path("lib/libkumi-passes.so")
_commands = Path(sys.executable).parent
config.substitutions += [  # noqa: F821
    ("%count", f"{_LLVM}/opt -load-pass-plugin={_plugin} -passes=kumi-count -S"),
    ("%prewake", f"{_LLVM}/opt -load-pass-plugin={_plugin} -passes=kumi-prewake,verify -S"),
    ("%cc", f"{_commands}/kumihimo cc"),
    ("%cxx", f"{_commands}/kumihimo c++"),
    ("%fc", f"{_commands}/kumihimo fc"),
    ("%check", f"{_LLVM}/FileCheck"),
]
config.environment["LSAN_OPTIONS"] = "detect_leaks=0"  # noqa: F821
