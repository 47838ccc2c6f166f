"""Judge played games: what each card was worth, with open hands and by what its player knew."""
