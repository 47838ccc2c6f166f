"""The rule pages: a rule set printed so that a card player can check it."""
