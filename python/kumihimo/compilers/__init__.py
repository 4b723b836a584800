"""Compilers for programs that count their work: clang and flang with Kumihimo's plug-in."""
