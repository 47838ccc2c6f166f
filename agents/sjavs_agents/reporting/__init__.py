"""Results written up: one page of a match, a tournament, a ladder or the runs of a training."""
