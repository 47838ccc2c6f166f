"""Many matches at once: by several processes, kept in a folder, shown while they run."""
