"""The vectorized engine: deal, auction, naming trumps, tricks, scoring, rubber."""

from sjavs_env.engine.actions import ActionMap, sample_legal
from sjavs_env.engine.deal import numbered_decks
from sjavs_env.engine.game import Game
from sjavs_env.engine.state import REDEAL, GameState
from sjavs_env.rules.tables import Phase

__all__ = ["REDEAL", "ActionMap", "Game", "GameState", "Phase", "numbered_decks", "sample_legal"]
