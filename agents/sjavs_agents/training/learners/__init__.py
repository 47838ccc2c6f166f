"""Learning algorithms, each in a file of its own and chosen by name: ``learn.name``."""
