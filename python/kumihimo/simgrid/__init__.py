"""Platform files of SimGrid (XML), read into the same keys as our own."""
