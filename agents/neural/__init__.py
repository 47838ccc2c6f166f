"""Self-play learning in PyTorch: config, networks, rollouts, returns, updates, checkpoints."""
