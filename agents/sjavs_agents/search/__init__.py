"""Players that search: for cards in imagined worlds, or by playing on."""
