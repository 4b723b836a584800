"""The study of links that sleep, and are woken before they are needed."""
