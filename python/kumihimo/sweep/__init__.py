"""Studies: many runs over varied machines, on the cores of this computer or a cluster."""
