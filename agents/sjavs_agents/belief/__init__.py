"""Beliefs about hidden cards: asked in self-play, learned, and judged by the truth."""
