"""The single-game environments: PettingZoo's interface, and one seat for Gymnasium."""
