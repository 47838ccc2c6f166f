"""The model: networks, policies, and their weights in files."""
