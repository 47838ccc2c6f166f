"""Players, training and evaluation for the Sjavs family of card games.

Reading order:

- ``base``: what an agent is, and how it is asked
- ``heuristic``: players by maxims
- ``arena``: matches between agents, with the intervals of ``stats``
- ``neural``: networks, the players made of them, and their files
- ``solver``: the exact solver of open hands; ``compiled``: how it is made fast
- ``worlds``: the hidden cards as they may lie; ``belief``: learned chances of where they do
- ``search``: players that solve such worlds, or play them out
- ``registry``: all of these players by name
- ``training``, ``analyze``, ``puzzles``, ``exploit``: what is done with them

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
