"""Kumihimo runs unmodified MPI programs over a described network in virtual time."""

from importlib.metadata import version

__version__ = version("kumihimo")
