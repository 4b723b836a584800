"""`kumihimo study approximate`: programs over links that corrupt bits."""
