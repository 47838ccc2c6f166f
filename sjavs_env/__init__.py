"""Environments for the Sjavs family of trick-taking card games.

Reading order, the way a deal goes:

- ``cards``, ``randomness``, ``errors``: what everything else uses
- ``rules``: ``ruleset`` and its ``parts``, ``games`` (the data), ``tables`` (what the engine
  reads), ``pages`` (rules as text)
- ``engine``: ``state``, ``actions``, ``deal``, ``course``; ``phases`` (auction, declare, exchange,
  concede, six, reserve, stay, tricks), ``melds``; ``results`` (payoff, ranks; rubber,
  elimination); ``game``, which puts them together, and ``single``, the same for one game
- ``observation``: ``views`` (what a seat may know), ``layout``, ``encode``, ``encode_single`` (what
  a network sees)
- ``envs``: ``batch`` (many games for trainers), ``aec`` (PettingZoo, by its name ``sjavs_v0``),
  ``single_seat`` and ``vector`` (Gymnasium)
- ``records``: games on paper; ``render`` and ``picture``: the table as text and as SVG
- ``cli``: what all commands share

Shapes are written with these letters, here and in ``sjavs_agents``, which has some more.  Each
has one meaning everywhere; sizes without a letter are words, ``(M, classes)``.

As many as there are:

- B: games of a batch
- R: a selection of them, or of positions and views in them

Numbers of a game's own:

- A: actions
- C: payoff columns
- F: features of an observation
- K: bids
- M: trump modes
- N: cards
- O: payoff rows
- P: seats
"""

from sjavs_env.cli import interrupts as interrupts  # first: the others take a while
from sjavs_env.engine import REDEAL, ActionMap, Game, GameState, Phase, numbered_decks, sample_legal
from sjavs_env.envs import SingleSeatEnv, SjavsEnv, policy_action, seat_view
from sjavs_env.envs.batch import BatchEnv, Turn
from sjavs_env.envs.vector import SingleSeatVectorEnv
from sjavs_env.observation.encode import OBSERVATION_VERSION, Encoder, ObservationLayout
from sjavs_env.observation.views import PlayerView, SeatView, hidden_hands, view_of
from sjavs_env.records import (
    History,
    Position,
    deal_result,
    read_records,
    record_so_far,
    replay,
    verify,
    verify_file,
    write_record,
)
from sjavs_env.render import render_table
from sjavs_env.rules import (
    ALIASES,
    PRESETS,
    RULE_SETS,
    RuleSet,
    make_rules,
    read_overrides,
    rules_from_json,
    rules_to_json,
)

__version__ = "0.1.0"  # of the whole distribution; pyproject.toml reads it here

__all__ = [
    "ALIASES",
    "OBSERVATION_VERSION",
    "PRESETS",
    "REDEAL",
    "RULE_SETS",
    "ActionMap",
    "BatchEnv",
    "Encoder",
    "Game",
    "GameState",
    "History",
    "ObservationLayout",
    "Phase",
    "PlayerView",
    "Position",
    "RuleSet",
    "SeatView",
    "SingleSeatEnv",
    "SingleSeatVectorEnv",
    "SjavsEnv",
    "Turn",
    "__version__",
    "deal_result",
    "hidden_hands",
    "make_rules",
    "numbered_decks",
    "policy_action",
    "read_overrides",
    "read_records",
    "record_so_far",
    "render_table",
    "replay",
    "rules_from_json",
    "rules_to_json",
    "sample_legal",
    "seat_view",
    "verify",
    "verify_file",
    "view_of",
    "write_record",
]
