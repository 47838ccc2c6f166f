"""Players, training and evaluation for the Sjavs family of card games.

Shapes are written with the letters that ``sjavs_env`` explains, and with these.

As many as there are:

- D: decisions of a learner
- Q: cases, or questions how hidden cards may lie
- T: steps of the longest of some deals
- W: worlds, deals of the hidden cards as they may lie

Numbers of a game's own:

- H: holders, the hands and other places in which a hidden card may be
- S: seats other than the viewer's
"""
