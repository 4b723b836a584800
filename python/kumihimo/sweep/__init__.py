"""Sweeps: many runs over varied platforms, on the cores of this computer or a cluster."""
