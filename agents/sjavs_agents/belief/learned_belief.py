"""A learned belief: which holder has each hidden card, after what the others called and played.

The network corrects the exact belief of a sampler, in which every deal that agrees with the view
is as likely as any other: log q = log p + network, normalised over the holders of each card.  So
what is known for certain stays certain, and a network that says nothing changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sjavs_agents.base import Floats, Ints
from sjavs_agents.belief.config import BeliefConfig
from sjavs_agents.neural.arrays import check_weights, load_module, module_arrays
from sjavs_agents.neural.checkpoint import (
    ORIGIN,
    CheckpointError,
    DamagedError,
    read_checkpoint,
    reading,
    require,
    require_content,
    write_checkpoint,
)
from sjavs_agents.neural.device import chosen_device
from sjavs_agents.neural.network import BeliefNet, Precision, infer, initialise
from sjavs_agents.neural.policy import require_same_game
from sjavs_agents.neural.schema import each, record, sizes, text
from sjavs_env import OBSERVATION_VERSION, Encoder, Game, PlayerView, rules_to_json

__all__ = [
    "Belief",
    "BeliefConfig",
    "BeliefLearner",
    "Examples",
    "load_belief",
    "log_chances",
    "save_belief",
]

IMPOSSIBLE = -1e9  # finite, as for illegal actions
CONTENT = "belief"  # what a file of this kind says that it holds
FLOAT32 = Precision("float32")


# what the file of a belief must say
CHECK = record(
    {**ORIGIN, "config": record({"belief": sizes(BeliefConfig)}), "holders": each(text(100), 64)}
)


@dataclass(frozen=True)
class Examples:
    """Views (R,) with the truth about their hidden cards; cards in trump order."""

    counts: NDArray[np.uint8]  # (R, F) observations
    exact: NDArray[np.float32]  # (R, H, N) chances where all deals are as likely
    holder: NDArray[np.int8]  # (R, N) who has each hidden card, or NONE

    def __len__(self) -> int:
        return len(self.counts)

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """Return all examples in one."""
        return cls(
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.exact for part in parts]),
            np.concatenate([part.holder for part in parts]),
        )


def log_chances(logits: Tensor, exact: Tensor) -> Tensor:
    """Return log q (R, H, N) for corrections and exact chances (R, H, N); about -1e9 for 0."""
    known = torch.where(exact > 0, exact.log(), IMPOSSIBLE)
    return torch.log_softmax(known + logits.view_as(exact), dim=1)


class Belief:
    """What a network believes in one game.  It knows of a deal what the views say, no more."""

    def __init__(
        self, name: str, game: Game, holders: tuple[str, ...], config: BeliefConfig
    ) -> None:
        """``holders`` (H) are places of hidden cards, as the sampler of the game lists them."""
        self.name, self.game, self.holders, self.config = name, game, holders, config
        self.encoder = Encoder(game, "trump")
        n_places = len(holders) * game.tables.n_cards
        self.net = BeliefNet(self.encoder.layout.scale, config.width, config.layers, n_places)

    @torch.inference_mode()
    def log_ratios(self, view: PlayerView, exact: Floats) -> NDArray[np.float32]:
        """Return log(q / p) (R, H, N), cards in pack order, given p (R, H, N); 0 where p is 0."""
        arranged = self.encoder.arrangement(view)
        counts = torch.from_numpy(self.encoder.encode(view, arranged=arranged))
        places = self.game.tables.slots.slot_of[arranged][:, None]
        in_slots = infer(self.net, counts, FLOAT32).numpy().reshape(exact.shape)
        logits = torch.from_numpy(np.take_along_axis(in_slots, places, axis=2))
        known = torch.from_numpy(exact.astype(np.float32))
        ratios = log_chances(logits, known) - known.log()
        return torch.where(known > 0, ratios, 0.0).numpy()

    def chances(self, view: PlayerView, exact: Floats) -> Floats:
        """Return q (R, H, N), given p (R, H, N); 0 for cards that are not hidden."""
        return np.asarray(exact * np.exp(self.log_ratios(view, exact)))

    def examples(self, view: PlayerView, exact: Floats, holder: Ints) -> Examples:
        """Return views as examples, given p (R, H, N) and who has each hidden card (R, N)."""
        arranged = self.encoder.arrangement(view)
        cards = self.game.tables.slots.card_at[arranged]
        return Examples(
            self.encoder.encode(view, arranged=arranged),
            np.take_along_axis(exact, cards[:, None], axis=2).astype(np.float32),
            np.take_along_axis(holder, cards, axis=1).astype(np.int8),
        )


class BeliefLearner:
    """Improves the network of a belief by Adam on the cross-entropy of the hidden cards."""

    def __init__(self, belief: Belief, seed: int, device: str = "cpu") -> None:
        """Start with random weights; its first corrections are close to none.

        The network is moved to the device (of ``DEVICES``) and stays there; ValueError if there
        is none.
        """
        self.belief = belief
        initialise(belief.net, torch.Generator().manual_seed(seed))
        belief.net.to(chosen_device(device))
        self.optimizer = torch.optim.Adam(belief.net.parameters())

    @torch.inference_mode()
    def log_loss(self, examples: Examples) -> tuple[float, float]:
        """Return the mean loss per hidden card, in nats, and that of the exact chances."""
        logits = infer(self.belief.net, torch.from_numpy(examples.counts), FLOAT32)
        exact = torch.from_numpy(examples.exact)
        losses = (
            _losses(said, exact, examples.holder) for said in (logits, torch.zeros_like(logits))
        )
        own, exactly = (loss.mean().item() if len(loss) else 0.0 for loss in losses)
        return own, exactly

    def learn(self, examples: Examples, rows: Ints, minibatch: int, rate: float) -> None:
        """Take steps of size ``rate`` on examples ``rows`` (R,) in this order."""
        self.optimizer.param_groups[0]["lr"] = rate
        for part in np.split(rows, range(minibatch, len(rows), minibatch)):
            device = self.belief.net.scale.device
            logits = self.belief.net(torch.from_numpy(examples.counts[part]).to(device), FLOAT32)
            exact = torch.from_numpy(examples.exact[part]).to(device)
            losses = _losses(logits, exact, examples.holder[part])
            if len(losses):
                self.optimizer.zero_grad(set_to_none=True)
                losses.mean().backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
                self.optimizer.step()


def _losses(logits: Tensor, exact: Tensor, holder: NDArray[np.int8]) -> Tensor:
    """Return -log q of the true holder of each hidden card (cards,)."""
    log_q = log_chances(logits, exact)
    row, card = np.nonzero(holder >= 0)  # here, so that no accelerator is waited for
    places = (row, holder[row, card].astype(np.intp), card)
    return -log_q[tuple(torch.from_numpy(place).to(log_q.device) for place in places)]


def save_belief(path: Path, belief: Belief, meta: Mapping[str, Any]) -> None:
    """Write a belief in one atomic step; ``meta`` (JSON values) is kept with it."""
    about = {
        "holds": CONTENT,
        "rules": rules_to_json(belief.game.rules),
        "observation": OBSERVATION_VERSION,
        "config": {"belief": asdict(belief.config)},
        "holders": list(belief.holders),
        **meta,
    }
    write_checkpoint(path, module_arrays(belief.net, CONTENT), about)


def load_belief(path: str, game: Game) -> Belief:
    """Return the belief saved in a file, for views of ``game``.

    CheckpointError if there is none, or if it was trained on a game with other actions or
    observations.
    """
    source = Path(path)
    arrays, meta = read_checkpoint(source)
    require_content(source, meta, CONTENT)
    try:
        require(CHECK, meta)
        with reading():
            require_same_game(source, meta, game)
            config, holders = BeliefConfig(**meta["config"]["belief"]), tuple(meta["holders"])
            with torch.device("meta"):  # sizes that no file has should take no memory
                check_weights(Belief(path, game, holders, config).net, arrays, CONTENT)
            belief = Belief(path, game, holders, config)
            load_module(belief.net, arrays, CONTENT)
    except DamagedError as error:
        raise CheckpointError(f"{source}: {error}") from None
    belief.net.requires_grad_(False)
    return belief
