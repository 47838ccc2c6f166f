"""The shortcuts for one game give what the vectorized engine and encoder give, byte for byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sjavs_env.engine import REDEAL, Game, GameState, Phase, sample_legal
from sjavs_env.engine.single import SingleGame
from sjavs_env.observation.encode import Encoder
from sjavs_env.observation.encode_single import SingleEncoder
from sjavs_env.observation.views import view_of
from sjavs_env.rules import PRESETS
from tests.engine.kinds import EVERY_TRAIT
from tests.engine.table import game_of, table_of

ROW = np.array([0])
N_GAMES, N_DEALS = 20, 4

VARIANTS: list[dict[str, Any]] = [
    {"follow": "must_overtrump"},
    {"auction_mode": "optional_pass"},
    {"follow": "must_overtrump", "auction_mode": "free", "min_bid": 4, "better_rule": False},
]
# Packs and tables that no preset has: words of another width, words that are not full.
BASE = PRESETS["faroese"]
FORTY_CARDS = BASE.altered(
    ranks="AKQJT98765", plain_order="AKQT98765", deal_cut="5-5", deal_knock="10"
)
SHORT_PACK = BASE.altered(ranks="AKQJT98", plain_order="AKQT98", deal_cut="3-4", deal_knock="7")
TWO_PLAYERS = BASE.altered(players=2, deal_cut="8-8", deal_knock="16")


class Pair:
    """A batch of games in the engine, and each of them once more as a game of its own."""

    def __init__(self, game: Game, seed: int) -> None:
        """Deal the first deals, with ties pending so that some of them are paid out."""
        self.game, self.rng = game, np.random.default_rng(seed)
        self.encoder = Encoder(game)
        self.one, self.one_encoder = SingleGame(game), SingleEncoder(self.encoder)
        self.n_players = game.tables.n_players
        dealers, cuts = self.rng.integers(self.n_players, size=N_GAMES), np.arange(N_GAMES) % 2
        self.batch = game.new_games(N_GAMES, seed=seed, stride=N_GAMES, dealer=dealers, cut=cuts)
        self.batch.ties[:] = self.rng.integers(0, 7, size=N_GAMES)
        self.singles = [self.batch.select(np.array([b])) for b in range(N_GAMES)]

    def play_deals(self) -> list[int]:
        """Play the deals to their end, comparing after every step; return their outcomes."""
        self.compare(np.arange(N_GAMES))
        while len(going := np.flatnonzero(self.batch.phase != Phase.OVER)):
            action = sample_legal(self.game.legal_actions(self.batch, going), self.rng)
            self.game.step(self.batch, action, going)
            for b, a in zip(going, action, strict=True):
                self.one.step(self.singles[b], int(a))
            self.compare(going)
        return self.batch.outcome.tolist()

    def next_deals(self) -> None:
        """Deal again everywhere; where a rubber is over, another one begins."""
        self.game.next_deal(self.batch, np.arange(N_GAMES))
        for single in self.singles:
            self.game.next_deal(single, ROW)

    def compare(self, rows: NDArray[np.intp]) -> None:
        """States, masks and the observations of all seats are equal in the games ``rows``."""
        masks = self.game.legal_actions(self.batch, rows)
        seen = [self.seen(rows, viewer) for viewer in range(self.n_players)]
        for i, b in enumerate(rows):
            single = self.singles[b]
            assert_equal(single, self.batch.select(np.array([b])))
            mask = self.one_encoder.mask(self.one.legal(single))
            assert mask.dtype == masks.dtype
            assert mask.tobytes() == masks[i].tobytes(), f"mask of game {b}"
            for viewer in range(self.n_players):
                observation = self.one_encoder.encode(single, viewer)
                assert observation.dtype == np.uint8
                differ = np.flatnonzero(observation != seen[viewer][i])
                assert differ.tolist() == [], f"game {b}, seat {viewer}"

    def seen(self, rows: NDArray[np.intp], viewer: int) -> NDArray[np.uint8]:
        """What the encoder makes of the view of one seat in the games ``rows``."""
        return self.encoder.encode(view_of(self.game, self.batch, rows, np.full(len(rows), viewer)))


def assert_equal(single: GameState, wanted: GameState) -> None:
    """Every array has the same type and the same bytes."""
    for name, array in wanted.arrays().items():
        mine = single.arrays()[name]
        assert mine.dtype == array.dtype, name
        assert mine.tobytes() == array.tobytes(), f"{name}: {mine}, not {array}"


def play(game: Game, seed: int, n_deals: int = N_DEALS) -> list[int]:
    """Play some deals in all games of a pair; return the outcomes of all of them."""
    pair = Pair(game, seed)
    outcomes = pair.play_deals()
    for _ in range(n_deals - 1):
        pair.next_deals()
        outcomes += pair.play_deals()
    return outcomes


@pytest.mark.parametrize(("preset", "players"), EVERY_TRAIT)
def test_a_game_alone_is_played_and_seen_as_in_a_batch(preset: str, players: int) -> None:
    game = table_of(preset, players)
    n_deals = 1 if game.tables.seats else N_DEALS  # there are no shortcuts for play there
    outcomes = play(game, seed=31, n_deals=n_deals)
    assert len(outcomes) >= N_GAMES * n_deals
    rare = preset in (
        "faroese_3",
        "faroese_2",
        "auction_sjavs",
        "auction_sjavs_clubs",
    )  # 1 % or less
    may_redeal = game.tables.auction.redeal_when_all_pass and not game.tables.seats
    assert (REDEAL in outcomes) == may_redeal or rare


@pytest.mark.parametrize("preset", ["faroese", "faroese_wiki"])
@pytest.mark.parametrize("overrides", VARIANTS, ids=lambda o: "-".join(map(str, o.values())))
def test_variants_are_played_and_seen_as_in_a_batch(preset: str, overrides: dict[str, Any]) -> None:
    assert len(play(game_of(preset, **overrides), seed=32, n_deals=2)) >= 2 * N_GAMES


@pytest.mark.parametrize(
    "rules", [FORTY_CARDS, SHORT_PACK, TWO_PLAYERS], ids=["40 cards", "28 cards", "2 players"]
)
def test_other_packs_and_tables_are_played_and_seen_as_in_a_batch(rules: Any) -> None:
    assert len(play(Game(rules), seed=33, n_deals=2)) >= 2 * N_GAMES


def test_the_duty_to_overtrump_is_met_in_deals_at_random() -> None:
    strict, free = game_of("faroese", follow="must_overtrump"), game_of("faroese")
    one, rng, met = SingleGame(strict), np.random.default_rng(34), 0
    state = strict.new_games(N_GAMES)
    while (state.phase != Phase.OVER).any():
        masks, usual = strict.legal_actions(state), free.legal_actions(state)
        for b in np.flatnonzero((masks != usual).any(axis=1)):
            legal = one.legal(state.select(np.array([b])))
            assert [legal >> a & 1 for a in range(strict.actions.size)] == masks[b].tolist()
            met += 1
        going = np.flatnonzero(state.phase != Phase.OVER)
        strict.step(state, sample_legal(masks[going], rng), going)
    assert met > 0


def test_a_mask_may_be_changed_by_who_gets_it() -> None:
    encoder = SingleEncoder(Encoder(game_of()))
    mask = encoder.mask(0b101)
    mask[1] = 1
    assert mask[:4].tolist() == [1, 1, 1, 0]
    assert encoder.mask(0b101)[:4].tolist() == [1, 0, 1, 0]


def test_there_is_no_shortcut_for_the_order_of_strength() -> None:
    with pytest.raises(ValueError, match=r"^card order is 'trump'; allowed: pack$"):
        SingleEncoder(Encoder(game_of(), "trump"))
