"""Self-play training: collect -> advantages -> update -> evaluate -> log -> checkpoint."""
