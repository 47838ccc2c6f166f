"""The games: each rule set with the source of every value, and all of them by name."""
