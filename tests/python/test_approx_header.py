"""`kumihimo/approx.hpp`: what compiles, and what does not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kumihimo.installed import include_path

pytestmark = pytest.mark.processes

# MPI's headers and two compilers: messages are theirs, and name the types.
COMPILERS = {
    "gcc": [str(Path(sys.executable).parent / "mpicxx")],
    "clang": ["env", "OMPI_CXX=clang++-19", "mpicxx.openmpi"],
}
FRAME = """\
#include <kumihimo/approx.hpp>
#include <vector>
using kumihimo::approx, kumihimo::endorse;
using Number = approx<double, 16>;
void use(double);
void take(Number);
void program(Number a, Number b, approx<double, 40> better, std::vector<double>& array) {{
    {}
}}
"""
RIGHT = {
    "a plain number becomes approximate": "Number c = 1.5; take(2); take(1.5f); c = 7;",
    "arithmetic with plain numbers": "a = 2 * a + b / 3.0 - 1; a *= 0.5; a = -a;",
    "better protection becomes less": "take(better); a = better * b;",
    "less becomes better in words": "better = static_cast<approx<double, 40>>(a);",
    "endorsed": "use(endorse(a)); double c = endorse(a + b); if (endorse(a < b)) use(c);",
    "endorsed as an index": "use(array[static_cast<std::size_t>(endorse(a))]);",
    "an approximate condition is kept": "auto is_less = a < b; is_less = !is_less | (a == b);",
    "chosen by an approximate condition": "a = select(a < b, a, b);",
    "complex": "approx<std::complex<double>, 16> z = std::complex<double>(1, 2); a = 2 * abs(z);",
    "the default protects sign and exponent": "static_assert(approx<float>::protected_bits == 9 && "
    "approx<double>::protected_bits == 12);",
    "integers": "approx<int, 31> count = 5; count = count * 2;",
    "as it lies in memory": "static_assert(sizeof(Number) == 8 && std::is_trivial_v<Number> && "
    "std::is_standard_layout_v<Number>);",
    "a datatype": "MPI_Datatype type = kumihimo::datatype<Number>(); (void)type;",
    "no conversion for templates": "static_assert(!std::is_convertible_v<Number, double> && "
    "!std::is_constructible_v<bool, Number> && !std::is_constructible_v<double, Number> && "
    "!std::is_constructible_v<bool, approx<bool>>);",
}
# What the compiler's message must have in it, whichever compiler it is.
WRONG = {
    "precise from approximate": ("double c = a;", "approx<double, 16>"),
    "in as many words": ("double c = static_cast<double>(a);", "approx<double, 16>"),
    "assigned": ("double c = 0; c = a + 1;", "approx<double, 16>"),
    "added to a precise sum": ("double c = 0; c += a;", "approx<double, 16>"),
    "as an argument": ("use(a);", "approx<double, 16>"),
    "into an array of precise numbers": ("array.push_back(a);", "approx<double, 16>"),
    "returned": ("auto f = [&]() -> double { return a; };", "approx<double, 16>"),
    "a condition": ("if (a < b) use(1);", "approx<bool>"),
    "a condition of a loop": ("while (a != b) a += 1;", "approx<bool>"),
    "a number as a condition": ("if (a) use(1);", "approx<double, 16>"),
    "chosen by a condition": ("use(a < b ? 1 : 2);", "approx<bool>"),
    "conditions together": ("bool c = a < b && a < 3;", "approx<bool>"),
    "precise from a condition": ("bool c = a < b;", "approx<bool>"),
    "an index": ("use(array[approx<int, 31>(3)]);", "approx<int, 31>"),
    "an address": ("double* c = &a;", "approx<double, 16>"),
    "less protection becomes better": ("better = a;", "approx<double, 16>"),
    "mixed with better protection": ("better += a;", "approx<double, 16>"),
    "another number": ("approx<float> c = a;", "approx<double, 16>"),
    "more bits than there are": ("approx<float, 33> c = 1;", "has fewer bits than are to be"),
    "no bits": ("approx<double, -1> c = 1;", "say how many bits"),
    "integers without a number of bits": ("approx<int> c = 1;", "say how many bits"),
    "no number": (
        "approx<char*, 0> c = nullptr;",
        "is a float, a double, an integer, or a complex",
    ),
    "long double": ("approx<long double, 0> c = 1;", "is a float, a double, an integer, or a"),
    "a datatype of conditions": ("kumihimo::datatype<approx<bool>>();", "are not sent"),
    "a datatype of plain numbers": ("kumihimo::datatype<double>();", "double"),
}


def compile_lines(compiler: str, lines: str, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "program.cpp"
    source.write_text(FRAME.format(lines))
    command = [*COMPILERS[compiler], "-std=c++17", "-fsyntax-only", f"-I{include_path()}"]
    return subprocess.run(
        [*command, str(source)], capture_output=True, text=True, timeout=60, check=False
    )


def test_both_compilers_are_here() -> None:
    assert all(shutil.which(command[-1]) for command in COMPILERS.values())


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_may_be_said(compiler: str, tmp_path: Path) -> None:
    blocks = "\n    ".join(
        f"{{  // {what}\n        {lines}\n    }}" for what, lines in RIGHT.items()
    )
    found = compile_lines(compiler, blocks, tmp_path)
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("what", WRONG)
def test_what_may_not_be_said(what: str, compiler: str, tmp_path: Path) -> None:
    lines, expected = WRONG[what]
    found = compile_lines(compiler, lines, tmp_path)
    assert found.returncode != 0
    assert "error: " in found.stderr
    # Types as the compilers call them: by their parameters' values, or by the names here.
    named = found.stderr.replace("Number", "approx<double, 16>").replace("bool, 0>", "bool>")
    named = named.replace("[...]", "double")
    assert expected in named, found.stderr
