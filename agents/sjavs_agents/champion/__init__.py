"""Champions: players that ship with the program, made from runs and told about by cards."""
