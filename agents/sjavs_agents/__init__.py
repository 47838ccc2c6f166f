"""Players, training and evaluation for the Sjavs family of card games."""
