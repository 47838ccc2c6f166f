"""What was measured, by what, and what was read."""

from __future__ import annotations

from collections.abc import Sequence

from sjavs_agents.reporting.blocks import Block, Raw, Section, Table, Text
from sjavs_agents.reporting.evaluation_file import Evaluation
from sjavs_agents.reporting.recorded_bids import RecordedBids
from sjavs_agents.reporting.training_runs import TrainingRun
from sjavs_agents.reporting.words import counted
from sjavs_env import __version__, rules_to_json

__all__ = ["heading", "measured_what", "read_what"]


def heading(evaluation: Evaluation) -> str:
    """Return the title of an evaluation."""
    rules = evaluation.game.rules
    boards = counted(evaluation.boards, "board")
    unit = "" if evaluation.episode == "deal" else f" of one {evaluation.episode}"
    players = evaluation.game.tables.n_players
    return f"{rules.name}, {players} players: {boards}{unit}, seed {evaluation.seed}"


def measured_what(evaluation: Evaluation) -> list[Block]:
    """Return the paragraphs at the head of an evaluation."""
    rules, n = evaluation.game.rules, len(evaluation.agents)
    deals = sum(pair.deals for pair in evaluation.pairs)
    changed = ", ".join(f"{k} = {v}" for k, v in rules_to_json(rules)["overrides"].items())
    text = (
        f"{counted(n, 'agent')}, {counted(len(evaluation.pairs), 'pair')}, "
        f"{counted(deals, 'deal')}. Rules {rules.name}, version {rules.version}"
        + (f", with {changed}" if changed else "")
        + ". A board is the same cards at several tables, with the agents exchanged; boards are "
        "what intervals are made of."
    )
    blocks: list[Block] = [Text(text)]
    if evaluation.stopped:
        blocks.append(Text(f"Not all boards were played: {evaluation.stopped}."))
    return blocks


def read_what(
    evaluations: Sequence[Evaluation],
    runs: Sequence[TrainingRun],
    bids: Sequence[RecordedBids] = (),
) -> Section:
    """Return what the report was made from."""
    sources = [(e.source, e.digests, e.versions) for e in evaluations]
    sources += [(b.source, b.digests, {}) for b in bids]
    sources += [(r.source, r.digests, r.versions) for r in runs]
    head = ["results", "file", "SHA-256", "made with"]
    rows: list[list[str]] = []
    raw: Raw = [list(head)]
    for source, digests, versions in sources:
        made = ", ".join(f"{name} {version}" for name, version in versions.items())
        for name, digest in digests.items():
            rows.append([source, name, digest[:16], made])
            raw.append([source, name, digest, made])
    table = Table("sources", "Files read, with the first digits of their SHA-256", head, rows, 2,
                  raw)  # fmt: skip
    text = Text(f"Written by sjavs {__version__}. The same files give the same report.")
    return Section("What was read", [table, text])
