"""The table as a picture: what one seat sees, drawn as SVG.

Like the table as text (``render``), it is drawn from a ``PlayerView`` and so can show no more than
the seat may know: its own cards, those in the trick, and the backs of the others.
"""

from __future__ import annotations

from html import escape

from sjavs_env.cards import SUIT_SYMBOLS
from sjavs_env.engine.game import Game
from sjavs_env.engine.state import ONLY_GAME
from sjavs_env.observation.views import PlayerView, view_of
from sjavs_env.render import render_table
from sjavs_env.rules.games.presets import make_rules
from sjavs_env.rules.tables import NONE

__all__ = ["draw_table", "example_picture"]

WIDTH, HEIGHT = 760, 470
CARD_WIDTH, CARD_HEIGHT, STEP = 46, 66, 30  # of a card, and from one in a hand to the next
MIDDLE = (WIDTH // 2, 214)
SIDES = {2: ("bottom", "top"), 3: ("bottom", "left", "right"),
         4: ("bottom", "left", "top", "right")}  # fmt: skip
SEATS = {"bottom": (WIDTH // 2, 368), "left": (130, 205), "top": (WIDTH // 2, 72),
         "right": (WIDTH - 130, 205)}  # middle of a hand  # fmt: skip
TRICK = {"bottom": (0, 44), "left": (-62, 0), "top": (0, -44), "right": (62, 0)}
INK = {"C": "#1b1b1b", "S": "#1b1b1b", "H": "#c0262d", "D": "#c0262d"}

# A numbered deal of the four-hand game as the player ``expert`` plays it, up to the second trick.
EXAMPLE = ("faroese", 1, "pass, 5, 5 better, pass, trump C, play AS, play 7C, play KS, play TS, "
           "play AH, play TH, play QH")  # fmt: skip


def example_picture() -> str:
    """Draw the table of the README."""
    rules, seed, labels = EXAMPLE
    game = Game(make_rules(rules))
    state = game.new_games(1, seed=seed, dealer=game.tables.n_players - 1)
    for label in labels.split(", "):
        game.step(state, [game.actions.parse(label)])
    return draw_table(game, view_of(game, state, ONLY_GAME, state.seat))


def draw_table(game: Game, view: PlayerView) -> str:
    """Draw the table as the seat of a view (of one game) sees it, that seat at the bottom."""
    text = render_table(game, view).splitlines()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(text[0])}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="18" fill="#2d6a4f"/>',
        f'<ellipse cx="{MIDDLE[0]}" cy="{MIDDLE[1]}" rx="150" ry="100" fill="#338059"/>',
        _words(WIDTH // 2, 24, text[0], 14, "#d8efe2"),
    ]
    for place, side in enumerate(_sides(game)):
        parts += _seat(game, view, place, side)
    parts += _trick(game, view)
    parts.append(_words(WIDTH // 2, HEIGHT - 16, text[-1], 14, "#d8efe2"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _sides(game: Game) -> tuple[str, ...]:
    """Where each seat sits, by its place from the viewer in the direction of play."""
    sides = SIDES[game.tables.n_players]
    if game.rules.direction == "anticlockwise":
        other = {"left": "right", "right": "left"}
        return tuple(other.get(side, side) for side in sides)
    return sides


def _seat(game: Game, view: PlayerView, place: int, side: str) -> list[str]:
    """One seat: its cards, face up if they are the viewer's, and its name with what it has won."""
    x, y = SEATS[side]
    hand = _held(game, view) if place == 0 else [""] * _cards_left(view, place)
    step = STEP + 22 if place == 0 else STEP // 2
    left = x - (step * (len(hand) - 1)) // 2
    cards = [_card(left + step * i, y, name) for i, name in enumerate(hand)]
    seat = (int(view.seat[0]) + place) % game.tables.n_players
    won = int(view.tricks[0, place])
    said = [f"seat {seat}", *(["dealer"] if int(view.dealer[0]) == place else [])]
    said += ["declarer"] if int(view.declarer[0]) == place else []
    said += [f"{won} {'trick' if won == 1 else 'tricks'}"] if won else []
    return [*cards, _words(x, y + CARD_HEIGHT // 2 + 20, " · ".join(said), 13, "#ffffff")]


def _held(game: Game, view: PlayerView) -> list[str]:
    """The viewer's cards by name, strongest first."""
    mode = int(view.mode[0]) or game.tables.course.fixed_mode
    hand, order = int(view.hand[0]), game.tables.slots.card_at[2 * mode]
    return [game.pack.cards[c] for c in reversed(order.tolist()) if hand >> c & 1]


def _cards_left(view: PlayerView, place: int) -> int:
    """How many cards a seat still holds: as many as the viewer, but for those played since."""
    own, played = int(view.hand[0]).bit_count(), view.played[0]
    return own + int(played[0]).bit_count() - int(played[place]).bit_count()


def _trick(game: Game, view: PlayerView) -> list[str]:
    """The cards of the trick, each before its seat; the one that is winning has a golden edge."""
    cards = []
    for place, side in enumerate(_sides(game)):
        card = int(view.trick[0, place])
        if card != NONE:
            dx, dy = TRICK[side]
            wins = int(view.winner[0]) == place
            cards.append(_card(MIDDLE[0] + dx, MIDDLE[1] + dy, game.pack.cards[card], wins))
    return cards


def _card(x: int, y: int, name: str, wins: bool = False) -> str:
    """A card around its middle; "" is a card that shows its back."""
    edge, width = ("#f2b705", 4) if wins else ("#20303a", 1)
    fill = "#fdfcf7" if name else "#7d2f3b"
    left, top = x - CARD_WIDTH // 2, y - CARD_HEIGHT // 2
    shape = (
        f'<rect x="{left}" y="{top}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="6" '
        f'fill="{fill}" stroke="{edge}" stroke-width="{width}"/>'
    )
    if not name:
        return shape
    rank, suit = name[0], name[1]
    face = "10" if rank == "T" else rank
    return (
        shape
        + _words(x, y - 4, face, 21, INK[suit], bold=True)
        + _words(x, y + 22, SUIT_SYMBOLS[suit], 23, INK[suit])
    )


def _words(x: int, y: int, text: str, size: int, color: str, *, bold: bool = False) -> str:
    """Text around a middle."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" text-anchor="middle"{weight}>'
        f"{escape(text)}</text>"
    )
