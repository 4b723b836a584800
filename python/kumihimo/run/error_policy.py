"""Policies of `run --approx`: which messages may arrive with errors."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from kumihimo.errors import UserError
from kumihimo.platform.locate import Path, locate_keys
from kumihimo.platform.schema.channel import MODULATIONS
from kumihimo.platform.schema.values import Choice, Count, Measure, ValueProblemError, describe
from kumihimo.platform.toml import TomlError, parse_toml
from kumihimo.problems import Problem, problems_text, read_text
from kumihimo.run.call_site import EXAMPLE_OF_SITE, code_of, is_site, no_code, ranges_text
from kumihimo.units import SIZE

if TYPE_CHECKING:
    from kumihimo.platform import Platform

# Bits of a number, of complex ones of either part; as `_core` names them.
FLOATING: Mapping[str, int] = {
    "half": 16,
    "bfloat16": 16,
    "float": 32,
    "double": 64,
    "float complex": 32,
    "double complex": 64,
}
INTEGERS: Mapping[str, int] = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
DATATYPES: Mapping[str, int] = {**FLOATING, **INTEGERS}

# In place of a file's name.
_SOURCE = FilePath("source")
_MOST_RULES = 64
_MOST_FUNCTIONS = 16
_MOST_COMMUNICATORS = 4
# Of all rules together: NamedSites::kMost, and numbers of the core are not negative.
_MOST_SITES = 63
# In bytes, as the core keeps them.
_LONGEST_NAME = 127
_LARGEST_BYTES = 2**63 - 1
_MOST_MEMBERS = 2**32 - 1
_RULE_KEYS = (
    "datatype",
    "function",
    "communicator",
    "site",
    "fewest_members",
    "most_members",
    "smallest_size",
    "largest_size",
    "protected_bits",
    "exact",
    "force",
    "order",
    "finite",
)
_TOP_KEYS = ("exact_messages", "order", "finite", "rule")
_EXACT_MESSAGES = Choice({"protected": "", "unprotected": ""})
_ORDER = Choice({"in_order": "", "important_first": ""})
# Of each link.
_ANY_ORDER = "link"
_BITS = Count(0, 64)
_MEMBERS = Count(1, 2**24)
_SIZE = Measure(SIZE, smallest="0 B", largest="1 TiB")


@dataclass(frozen=True)
class ErrorMode:
    """How messages arrive with errors.

    Attributes:
        order: Where unprotected bits go in symbols; "link": as each link does it.
        is_finite: Whether no finite number becomes infinite or NaN.
    """

    order: str = _ANY_ORDER
    is_finite: bool = False

    def core(self) -> dict[str, Any]:
        """Return the mode as a part of a rule or policy for `_core.Run.allow_errors`."""
        return {"order": self.order, "finite": int(self.is_finite)}


@dataclass(frozen=True)
class ErrorRule:
    """One `[[rule]]`.

    Attributes:
        line: Of its header.
        datatypes: Names in `DATATYPES`.
        functions: Names of MPI functions; empty for all.
        communicators: Names of communicators; empty for all.
        sites: Places in the program that call, as the file has them; empty for all.
        fewest_members: Ranks of the communicator; 0 if it need not be known.
        most_members: Ranks of the communicator.
        smallest_bytes: Of a message.
        largest_bytes: Of a message.
        protected_bits: Of each number, from the most significant one.
        is_exact: Whether these messages are exact.
        mode: How they arrive.
    """

    line: int
    datatypes: tuple[str, ...]
    functions: tuple[str, ...] = ()
    communicators: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    fewest_members: int = 0
    most_members: int = _MOST_MEMBERS
    smallest_bytes: int = 0
    largest_bytes: int = _LARGEST_BYTES
    protected_bits: int = 0
    is_exact: bool = False
    mode: ErrorMode = ErrorMode()

    def core(self, sites: Sequence[str]) -> dict[str, Any]:
        """Return the rule as `_core.Run.allow_errors` takes it; `sites` are those of the policy."""
        return {**self._common(), "sites": sum(1 << sites.index(site) for site in self.sites)}

    def canonical(self) -> dict[str, Any]:
        """Return all that can change a result."""
        return {**self._common(), **({"sites": list(self.sites)} if self.sites else {})}

    def _common(self) -> dict[str, Any]:
        return {
            "elements": list(self.datatypes),
            "functions": list(self.functions),
            "communicators": list(self.communicators),
            "fewest_members": self.fewest_members,
            "most_members": self.most_members,
            "smallest_bytes": self.smallest_bytes,
            "largest_bytes": self.largest_bytes,
            "protected_bits": self.protected_bits,
            "exact": int(self.is_exact),
            **self.mode.core(),
        }


@dataclass(frozen=True)
class ErrorPolicy:
    """A policy file.

    Attributes:
        file: As it was named.
        rules: In the order of the file. Without one, errors are allowed by the program alone.
        protects_exact: Whether exact messages are protected as a whole on links with noise.
        mode: How messages arrive for which the program itself allows errors.
    """

    file: str
    rules: tuple[ErrorRule, ...]
    protects_exact: bool = True
    mode: ErrorMode = ErrorMode()

    def core(self, seed: int) -> dict[str, Any]:
        """Return the policy as `_core.Run.allow_errors` takes it."""
        rules = [rule.core(self.sites) for rule in self.rules]
        return {**self.canonical(), "seed": seed, "rules": rules}

    def canonical(self) -> dict[str, Any]:
        """Return all that can change a result."""
        return {
            "protects_exact": int(self.protects_exact),
            **self.mode.core(),
            "rules": [rule.canonical() for rule in self.rules],
        }

    @property
    def sites(self) -> tuple[str, ...]:
        """The places that rules name, each once."""
        return tuple(dict.fromkeys(site for rule in self.rules for site in rule.sites))

    def sites_text(self, program: FilePath) -> str:
        """Return the text that ranks read: see src/mpi/code/code_places.hpp.

        Args:
            program: The program that is run, in whose code lines are searched.

        Raises:
            UserError: If the program has no code of a line that is named.
        """
        problems, rows = [], []
        for site in self.sites:
            module, ranges = code_of(site, program)
            rows.append(f"{module}\t{ranges_text(ranges)}\n")
            problems += [
                Problem(rule.line, f"rule[{number}].site", no_code(program, site))
                for number, rule in enumerate(self.rules)
                if not ranges and site in rule.sites
            ]
        if problems:
            raise UserError(problems_text(self.file, sorted(problems), "the error policy"))
        return "".join(rows)

    def check(self, platform: Platform) -> str | None:
        """Check that the platform's links can do what the rules ask.

        Returns:
            A warning: that no rule has an effect. None if there is nothing to warn of.

        Raises:
            UserError: If they cannot.
        """
        check_routing(platform, "--approx")
        noises = platform.noises()
        for name, noise in noises.items():
            modulation = str(noise["modulation"])
            for number, rule in enumerate(self.rules):
                if MODULATIONS[modulation].bits > 1 or rule.protected_bits == 0:
                    continue
                message = (
                    f'[{name}.channel] of {platform.file} has the modulation "{modulation}", whose '
                    "two levels protect no bit; expected 0"
                )
                problem = Problem(rule.line, f"rule[{number}].protected_bits", message)
                raise UserError(problems_text(self.file, [problem], "the error policy"))
        if noises:
            return None
        return f"--approx has no effect: no link of {platform.file} has noise"


def check_routing(platform: Platform, what: str) -> None:
    """Check that it is known which links each message crosses, which `what` needs.

    Raises:
        UserError: If it is not.
    """
    routing = platform.settings.get("network.routing")
    if routing is not None and routing.value != "minimal":
        raise UserError(
            f'{platform.file}: network.routing: {what} needs "minimal": which links a '
            "message crosses must be known when it is sent"
        )


def load_policy(path: FilePath) -> ErrorPolicy:
    """Read a policy file, or return the policy "source": errors where the program allows them.

    Raises:
        UserError: If it cannot be read or anything in it is wrong; the message lists every problem
            with file, line and key.
    """
    if path == _SOURCE:
        return ErrorPolicy(str(path), ())
    return parse_policy(read_text(path, "the error policy"), str(path))


def parse_policy(text: str, file: str) -> ErrorPolicy:
    """Return the policy that `text` describes; `file` is its name in messages.

    Raises:
        UserError: As `load_policy`.
    """
    text = text.replace("\r\n", "\n")
    try:
        document = parse_toml(text)
    except TomlError as error:
        raise UserError(problems_text(file, [error.problem], "the error policy")) from error
    reader = _Reader(locate_keys(text))
    policy = reader.read(file, document)
    if reader.problems:
        raise UserError(problems_text(file, sorted(reader.problems), "the error policy"))
    return policy


class _Reader:
    """Goes through the document and collects what is wrong."""

    def __init__(self, lines: Mapping[Path, int]) -> None:
        self._lines = lines
        self.problems: list[Problem] = []

    def read(self, file: str, document: Mapping[str, Any]) -> ErrorPolicy:
        self._find_unknown((), document, _TOP_KEYS)
        exact = self._value((), document, "exact_messages", _EXACT_MESSAGES, "protected")
        mode = self._mode((), document, ErrorMode())
        raw = document.get("rule", [])
        if not isinstance(raw, list) or not all(isinstance(each, dict) for each in raw):
            self._complain(("rule",), f"expected [[rule]], found {describe(raw)}")
            raw = []
        elif not document:
            message = 'no rules; expected [[rule]], or "--approx source" without a file'
            self._complain(("rule",), message)
        elif len(raw) > _MOST_RULES:
            message = f"expected at most {_MOST_RULES} [[rule]], found {len(raw)}"
            self._complain(("rule",), message)
        rules = tuple(self._rule(("rule", number), each, mode) for number, each in enumerate(raw))
        policy = ErrorPolicy(file, rules, exact == "protected", mode)
        if len(policy.sites) > _MOST_SITES:
            message = f"expected at most {_MOST_SITES} different sites, found {len(policy.sites)}"
            self._complain(("rule",), message)
        return policy

    def _mode(self, at: Path, raw: Mapping[str, Any], default: ErrorMode) -> ErrorMode:
        order = str(self._value(at, raw, "order", _ORDER, default.order))
        return ErrorMode(order, self._flag(at, raw, "finite", default=default.is_finite))

    def _rule(self, at: Path, raw: Mapping[str, Any], mode: ErrorMode) -> ErrorRule:
        self._find_unknown(at, raw, _RULE_KEYS)
        exact, force = (self._flag(at, raw, name) for name in ("exact", "force"))
        datatypes = self._datatypes(at, raw, may_be_integer=exact or force)
        smallest = int(self._value(at, raw, "smallest_size", _SIZE, 0))
        largest = int(self._value(at, raw, "largest_size", _SIZE, _LARGEST_BYTES))
        if smallest > largest:
            message = f"is less than smallest_size, {SIZE.format(smallest)}: no message fits"
            self._complain((*at, "largest_size"), message)
        bits = int(self._value(at, raw, "protected_bits", _BITS, 0))
        for name in ("protected_bits", "order", "finite"):
            if exact and name in raw:
                self._complain((*at, name), "means nothing with exact = true")
        if not exact and "protected_bits" not in raw:
            self._complain(at, f"protected_bits: missing; expected {_BITS.expected()}")
        narrow = [name for name in datatypes if bits > DATATYPES[name]]
        for name in narrow:
            width = DATATYPES[name]
            message = f'numbers of the datatype "{name}" have {width} bits, not {bits}'
            self._complain((*at, "protected_bits"), message)
        fewest = int(self._value(at, raw, "fewest_members", _MEMBERS, 0))
        most = int(self._value(at, raw, "most_members", _MEMBERS, _MOST_MEMBERS))
        if fewest > most:
            message = f"is less than fewest_members, {fewest}: no communicator fits"
            self._complain((*at, "most_members"), message)
        return ErrorRule(
            line=self._lines.get(at, 1),
            datatypes=datatypes,
            functions=self._functions(at, raw),
            communicators=self._communicators(at, raw),
            sites=self._sites(at, raw),
            fewest_members=fewest,
            most_members=most,
            smallest_bytes=smallest,
            largest_bytes=largest,
            protected_bits=bits,
            is_exact=exact,
            mode=self._mode(at, raw, mode),
        )

    def _datatypes(
        self, at: Path, raw: Mapping[str, Any], *, may_be_integer: bool
    ) -> tuple[str, ...]:
        path = (*at, "datatype")
        if "datatype" not in raw:
            self._complain(at, f"datatype: missing; expected {_quoted(DATATYPES)}")
            return ()
        found = []
        for name in self._texts(path, raw["datatype"]):
            if name not in DATATYPES:
                self._complain(path, f'expected {_quoted(DATATYPES)}, found "{name}"')
            elif name in INTEGERS and not may_be_integer:
                message = f'"{name}" may be a count or a place: allow errors with force = true'
                self._complain(path, message)
            else:
                found.append(name)
        return tuple(found)

    def _functions(self, at: Path, raw: Mapping[str, Any]) -> tuple[str, ...]:
        path = (*at, "function")
        names = self._texts(path, raw["function"]) if "function" in raw else []
        if len(names) > _MOST_FUNCTIONS:
            self._complain(path, f"expected at most {_MOST_FUNCTIONS} names, found {len(names)}")
        for name in names:
            if not re.fullmatch(r"MPI_[A-Z][a-z]+(_[a-z]+)*", name):
                self._complain(path, f'expected names as "MPI_Send", found "{name}"')
        return tuple(names)

    def _communicators(self, at: Path, raw: Mapping[str, Any]) -> tuple[str, ...]:
        path = (*at, "communicator")
        names = self._texts(path, raw["communicator"]) if "communicator" in raw else []
        if len(names) > _MOST_COMMUNICATORS:
            message = f"expected at most {_MOST_COMMUNICATORS} names, found {len(names)}"
            self._complain(path, message)
        for name in names:
            if not name or len(name.encode()) > _LONGEST_NAME or "\0" in name:
                message = f"expected names of 1 to {_LONGEST_NAME} bytes, as MPI_Comm_set_name"
                self._complain(path, f"{message} gives them, found {len(name.encode())} bytes")
        return tuple(names)

    def _sites(self, at: Path, raw: Mapping[str, Any]) -> tuple[str, ...]:
        path = (*at, "site")
        sites = self._texts(path, raw["site"]) if "site" in raw else []
        for site in sites:
            if not is_site(site):
                self._complain(path, f"expected places such as {EXAMPLE_OF_SITE}, found {site!r}")
        return tuple(dict.fromkeys(sites))

    def _texts(self, path: Path, raw: object) -> list[str]:
        """Return a text, or a list of them, as a list."""
        values = raw if isinstance(raw, list) else [raw]
        texts = [value for value in values if isinstance(value, str)]
        if texts and len(texts) == len(values):
            return texts
        self._complain(path, f"expected a text or a list of texts, found {describe(raw)}")
        return []

    def _flag(self, at: Path, raw: Mapping[str, Any], name: str, *, default: bool = False) -> bool:
        value = raw.get(name, default)
        if isinstance(value, bool):
            return value
        self._complain((*at, name), f"expected true or false, found {describe(value)}")
        return default

    def _value(
        self,
        at: Path,
        raw: Mapping[str, Any],
        name: str,
        type_: Choice | Count | Measure,
        default: int | str,
    ) -> int | str:
        if name not in raw:
            return default
        try:
            value = type_.read(raw[name])
        except ValueProblemError as error:
            self._complain((*at, name), str(error))
            return default
        assert not isinstance(value, tuple)
        return value

    def _find_unknown(self, at: Path, raw: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for name in raw:
            if name in known:
                continue
            alike = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f"did you mean {alike[0]}?" if alike else f"expected {', '.join(known)}"
            self._complain((*at, name), f"unknown key; {hint}")

    def _complain(self, at: Path, message: str) -> None:
        key = ""
        for part in at:
            key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else part
        self.problems.append(Problem(self._lines.get(at, 1), key, message))


def _quoted(names: Iterable[str]) -> str:
    return "one of " + ", ".join(f'"{name}"' for name in names)
