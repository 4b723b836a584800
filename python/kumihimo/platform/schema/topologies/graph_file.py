"""Graphs in node-link JSON, the form that NetworkX writes: hosts, switches and links."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, NoReturn

from kumihimo.platform.attachment import AttachmentError, read_attached_text
from kumihimo.platform.json_lines import line_of
from kumihimo.platform.locate import Path
from kumihimo.platform.schema.values import Measure, ValueProblemError, describe
from kumihimo.units import DURATION, RATE

_BANDWIDTH = Measure(RATE, smallest="1 b/s", largest="1000 Tb/s")
_LATENCY = Measure(DURATION, smallest="0 ns", largest="86400 s")
_KINDS = ("host", "switch")
_MOST_LINKS = 1 << 20
# NetworkX writes "key" to distinguish parallel edges.
_EDGE_ATTRIBUTES = {"source", "target", "key", "bandwidth", "latency"}


@dataclass(frozen=True)
class GraphLink:
    """A directed link between two vertices.

    Attributes:
        source: Number of the vertex; hosts first, then switches.
        target: Number of the vertex.
        bandwidth_bps: None if the file does not say it.
        latency_ps: None if the file does not say it.
    """

    source: int
    target: int
    bandwidth_bps: int | None
    latency_ps: int | None


@dataclass(frozen=True)
class GraphFile:
    """What a file describes: vertices in their order in the file, hosts and switches apart.

    Attributes:
        hosts: The names of hosts in the file.
        switches: The names of switches in the file.
        links: All directed links; an undirected edge is two, one for each direction.
        warnings: Attributes of edges that mean nothing here, each once.
    """

    hosts: tuple[str, ...]
    switches: tuple[str, ...]
    links: tuple[GraphLink, ...]
    warnings: tuple[str, ...] = ()

    def parameters(self, link: Mapping[str, int]) -> dict[str, Any]:
        """Return the core's parameters; `link` has what edges do not say themselves."""
        return {
            "hosts": len(self.hosts),
            "switches": len(self.switches),
            "sources": [edge.source for edge in self.links],
            "targets": [edge.target for edge in self.links],
            "bandwidth_bps": [
                link["bandwidth_bps"] if edge.bandwidth_bps is None else edge.bandwidth_bps
                for edge in self.links
            ],
            "latency_ps": [
                link["latency_ps"] if edge.latency_ps is None else edge.latency_ps
                for edge in self.links
            ],
        }

    def canonical(self) -> dict[str, Any]:
        """Return what can change a result; names do not."""
        return {
            "hosts": len(self.hosts),
            "switches": len(self.switches),
            "links": [
                [edge.source, edge.target, edge.bandwidth_bps, edge.latency_ps]
                for edge in self.links
            ],
        }


def read_graph(path: FilePath) -> GraphFile:
    """Read a graph from a file.

    Raises:
        AttachmentError: If the file cannot be read, is no JSON, or no graph of hosts and switches.
    """
    return parse_graph(read_attached_text(path), str(path))


def parse_graph(text: str, file: str) -> GraphFile:
    """Return the graph that `text` describes; `file` is its name in messages.

    Raises:
        AttachmentError: If the text is no JSON, or no graph of hosts and switches.
    """
    try:
        return _Reader(file, text).read(json.loads(text))
    except AttachmentError:
        raise
    except json.JSONDecodeError as error:
        raise AttachmentError(f"{file}:{error.lineno}: no valid JSON: {error.msg}") from error
    except (RecursionError, ValueError) as error:
        raise AttachmentError(f"{file}: no valid JSON: {error}") from error


class _Reader:
    """Goes through the document; numbers nodes as they come."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text
        self._names: dict[str, list[str]] = {kind: [] for kind in _KINDS}
        # The kind of each node and its number among those of its kind, by its id as JSON.
        self._places: dict[str, tuple[str, int]] = {}
        self._warnings: dict[str, str] = {}

    def read(self, document: object) -> GraphFile:
        top = self._object(document, ())
        for number, node in enumerate(self._list(top, "nodes")):
            self._add_node(number, node)
        if not self._names["host"]:
            self._fail('expected at least one node with kind "host", found none', "nodes")
        name = "edges" if "edges" in top else "links"
        is_directed = top.get("directed", False)
        if not isinstance(is_directed, bool):
            self._fail(f"expected true or false, found {_found(is_directed)}", "directed")
        links: list[GraphLink] = []
        for number, edge in enumerate(self._list(top, name)):
            link = self._link((name, number), edge)
            links.append(link)
            if not is_directed:
                links.append(
                    GraphLink(link.target, link.source, link.bandwidth_bps, link.latency_ps)
                )
        if len(links) > _MOST_LINKS:
            self._fail(f"expected at most {_MOST_LINKS} directed links, found {len(links)}", name)
        self._check_paths(links)
        return GraphFile(
            tuple(self._names["host"]),
            tuple(self._names["switch"]),
            tuple(links),
            tuple(self._warnings.values()),
        )

    def _check_paths(self, links: list[GraphLink]) -> None:
        """Refuse a graph whose first host cannot send to another one, or hear from it."""
        onward: dict[int, list[int]] = {}
        backward: dict[int, list[int]] = {}
        for link in links:
            onward.setdefault(link.source, []).append(link.target)
            backward.setdefault(link.target, []).append(link.source)
        # Nodes stand in the order of the file, which need not be that of vertices.
        nodes = {
            self._vertex(place): (number, identity)
            for number, (identity, place) in enumerate(self._places.items())
        }
        first = nodes[0][1]
        reached, reaching = (
            _reached(0, ways, len(self._names["host"])) for ways in (onward, backward)
        )
        for host in range(len(self._names["host"])):
            number, identity = nodes[host]
            for ends, seen in (((first, identity), reached), ((identity, first), reaching)):
                if host not in seen:
                    message = f"there is no path from node {ends[0]} to node {ends[1]}"
                    self._fail(message, "nodes", number)

    def _add_node(self, number: int, raw: object) -> None:
        where = ("nodes", number)
        node = self._object(raw, where)
        if "id" not in node:
            self._fail('"id" is missing', *where)
        identity = _identity(node["id"])
        if identity in self._places:
            self._fail(f"a node with id {identity} stood before", *where)
        kind = node.get("kind")
        if kind not in _KINDS:
            found = "is missing" if kind is None else f"found {_found(kind)}"
            message = f'{found} at the node with id {identity:.40}; expected "host" or "switch"'
            self._fail(message, *where, "kind")
        names = self._names[str(kind)]
        self._places[identity] = str(kind), len(names)
        names.append(str(node["id"]))

    def _link(self, where: tuple[str, int], raw: object) -> GraphLink:
        edge = self._object(raw, where)
        source, target = (self._end(where, edge, end) for end in ("source", "target"))
        if source == target:
            self._fail("begins and ends at the same node", *where)
        for name in sorted(edge.keys() - _EDGE_ATTRIBUTES - self._warnings.keys()):
            problem = 'means nothing here; expected "bandwidth" or "latency"'
            self._warnings[name] = self._told(problem, (*where, name))
        return GraphLink(
            source,
            target,
            self._measure(where, edge, "bandwidth", _BANDWIDTH),
            self._measure(where, edge, "latency", _LATENCY),
        )

    def _end(self, where: tuple[str, int], edge: Mapping[str, Any], name: str) -> int:
        if name not in edge:
            self._fail(f'"{name}" is missing', *where)
        place = self._places.get(_identity(edge[name]))
        if place is None:
            self._fail(f"there is no node with id {_identity(edge[name])}", *where, name)
        return self._vertex(place)

    def _vertex(self, place: tuple[str, int]) -> int:
        kind, number = place
        return number if kind == "host" else len(self._names["host"]) + number

    def _measure(
        self, where: tuple[str, int], edge: Mapping[str, Any], name: str, measure: Measure
    ) -> int | None:
        # NetworkX writes null for an attribute without a value.
        if edge.get(name) is None:
            return None
        try:
            value = measure.read(edge[name])
        except ValueProblemError as error:
            self._fail(str(error), *where, name)
        assert isinstance(value, int)
        return value

    def _object(self, raw: object, where: Path) -> Mapping[str, Any]:
        if not isinstance(raw, dict):
            self._fail(f"expected an object, found {_found(raw)}", *where)
        return raw

    def _list(self, top: Mapping[str, Any], name: str) -> list[Any]:
        if name not in top:
            self._fail(f'"{name}" is missing; expected node-link JSON with "nodes" and "edges"')
        values = top[name]
        if not isinstance(values, list):
            self._fail(f"expected a list, found {_found(values)}", name)
        return values

    def _fail(self, why: str, *where: str | int) -> NoReturn:
        raise AttachmentError(self._told(why, where))

    def _told(self, what: str, where: Path) -> str:
        """Return the message about a place in the file: `graph.json:7: edges[3].latency: what`."""
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where)
        line = line_of(self._text, where)
        return f"{self._file}:{line}: {place[1:]}{': ' if place else ''}{what}"


def _identity(raw: object) -> str:
    """Return an id such that equal ones are equal: NetworkX allows numbers, texts and lists."""
    return json.dumps(raw, sort_keys=True)


def _found(raw: object) -> str:
    return "null" if raw is None else describe(raw)


def _reached(start: int, ways: Mapping[int, list[int]], hosts: int) -> set[int]:
    """Return the vertices that one can come to; a host between two others passes nothing on."""
    seen = {start}
    left = [start]
    while left:
        vertex = left.pop()
        if vertex < hosts and vertex != start:
            continue
        for after in ways.get(vertex, ()):
            if after not in seen:
                seen.add(after)
                left.append(after)
    return seen
