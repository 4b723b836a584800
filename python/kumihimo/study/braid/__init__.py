"""`kumihimo study braid`: all five techniques, alone and together."""
