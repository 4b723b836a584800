"""Kumihimo runs unmodified MPI programs over a described network in virtual time."""

# A literal, since asking the installation for it would cost each start 40 ms.
__version__ = "0.1.0"
