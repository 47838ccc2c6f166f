"""Speed measured as ratios in one run; nothing here is asserted by a test."""

from sjavs_env.cli import interrupts as interrupts  # first: the others take a while
