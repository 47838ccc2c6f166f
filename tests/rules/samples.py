"""Every parameter that each rule set lets be overridden, with values to try."""

from __future__ import annotations

from typing import Any

from sjavs_env.rules import PRESETS

__all__ = ["SAMPLES", "samples"]

Values = dict[str, list[Any]]

PLAY: Values = {"follow": ["must_overtrump"], "start": [1, 30, 255]}
LENGTHS: Values = {
    "min_bid": [1, 4, 6, 8],
    "auction_mode": ["optional_pass", "forced", "free"],
    "better_rule": [False],
    "force_clubs_on_equal": [True, False],
}
EVEN_SIDES: Values = {"all_pass": ["redeal", "play_permanents"], "no_bid_value": [1, 6]}
RUBBER: Values = {
    "tie": ["add_2", "add_2_plain_4_clubs", "add_2_declarers_4_defenders", "double"],
    "tie_stacks": [True, False],
    "double_at_start": [True, False],
    "cross_rule": ["shutout_only", "standard"],
}
ROWS: Values = {
    "payoff.vol": [(10, 14), None],
    "payoff.win_90": [(3, 6), None],
    "payoff.win": [(1, 3), (0, 0)],
    "payoff.lose": [(5, 7)],
}
SINGLE: Values = {"payoff.single_vol": [(20, 30), None]}
LOSSES: Values = {
    "payoff.lose_no_trick": [(12, 24), None],
    "payoff.lose_30": [(6, 12), None],
}
SOLO: Values = {"solo_counts_as_single": [True, False], **SINGLE}
FOUR_HANDS: Values = {
    "deal_cut": ["2-6", "1-1-1-1-1-1-1-1"],
    "deal_knock": ["4-4"],
    **PLAY,
    **LENGTHS,
    **EVEN_SIDES,
    **RUBBER,
    **ROWS,
}
DANISH: Values = {
    "deal_cut": ["6(1)", "(2)-6"],
    "deal_knock": ["1-(2)-5"],
    **PLAY,
    "auction_mode": ["contracts", "first_bid"],
    "trump": ["declarer", "clubs"],
    "name_trump": ["before_exchange", "after_exchange"],
}
KLORSJAVS: Values = {
    **DANISH,
    "concede": [False, True],
    "payoff.concede": [(5,), (0,)],
    "payoff.no_trick": [(12,), None],
    "payoff.all": [(20,), None],
    "payoff.win_double": [(9,), None],
    "payoff.win": [(3,), (0,)],
    "payoff.lose": [(10,)],
}
AUCTION: Values = {
    **DANISH,
    "start": [50, 0],
    "match_deals": [1, 30],
    "jan_on_tout": [True, False],
    "payoff.tout_made_no_trick": [(40, 50)],
    "payoff.tout_lost_no_trick": [(40, 50), None],
    "payoff.tout_lost_jan": [(25, 35), None],
    "payoff.tout_made": [(20, 30)],
    "payoff.tout_lost": [(5, 6), (0, 0)],
    "payoff.win_no_trick": [(4, 16), None],
    "payoff.lose_no_trick": [(2, 9), None],
    "payoff.win_jan": [(3, 9), None],
    "payoff.win": [(2, 5), (0, 0)],
    "payoff.lose_jan": [(3, 9), None],
    "payoff.lose": [(2, 5)],
}
HANDJASS: Values = {
    "players": [2, 3],
    "deal_cut": ["4-5", "9"],
    "deal_knock": ["1-8"],
    "follow": ["whist", "must_overtrump", "simple", "strict"],
    "last_trick": [0, 10],
    "six_timing": ["after", "before"],
    "may_drop": [True, False],
    "taker_must_play": [True, False],
    "weis": ["large"],
    "meld_selection": ["best_first"],
    "meld_compare_rank": [True, False],
    "stock": ["independent", "meld"],
    "limit": [0, 40],
    "rank_marks": [(3, 2, 1), (1, 1, 1)],
    "two_hand_mark": [2, 1],
    "sole_mark": [1, 2],
    "lone_mark": [0, 3],
    "rank_tie": ["earliest", "none"],
    "bag": ["minus", "zero"],
    "target": [3, 9],
}
SAMPLES: dict[str, Values] = {
    "faroese": {**FOUR_HANDS, **SINGLE, **LOSSES},
    "faroese_smith": {**FOUR_HANDS, **SINGLE, **LOSSES},
    "faroese_wiki": {**FOUR_HANDS, **SINGLE},
    "suduroy": {**FOUR_HANDS, **LOSSES},
    "faroese_free": {**FOUR_HANDS, **SINGLE, **LOSSES},
    "faroese_3": {
        "deal_cut": ["5-(2)-5", "(1)-9-(1)-1"],
        "deal_knock": ["3-(2)-7"],
        **PLAY,
        **LENGTHS,
        "min_bid": [1, 10],
        **RUBBER,
        **ROWS,
        **LOSSES,
        **SOLO,
    },
    "faroese_2": {
        "deal_cut": ["8-4d-4u", "2-2d-2u-2d-2u-6"],
        "deal_knock": ["4-4d-4-4u"],
        **PLAY,
        **LENGTHS,
        "min_bid": [1, 12],
        **EVEN_SIDES,
        **RUBBER,
        **ROWS,
        **LOSSES,
        **SOLO,
    },
    "klorsjavs": KLORSJAVS,
    "danish_4": {**KLORSJAVS, "deal_cut": ["1-(1)-2-(1)-1", "(2)-4"], "deal_knock": ["4-(2)"]},
    "auction_sjavs": AUCTION,
    "auction_sjavs_clubs": AUCTION,
    **dict.fromkeys(
        ("handjass", "handjass_strict", "handjass_alt", "handjass_swiss", "handjass_schlaeger"),
        HANDJASS,
    ),
}


def samples() -> list[tuple[str, str, Any]]:
    """Every preset with every sample value of every parameter it has."""
    return [
        (preset, name, value)
        for preset in PRESETS
        for name, values in SAMPLES[preset].items()
        for value in values
    ]
