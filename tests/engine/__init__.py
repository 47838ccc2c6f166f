"""Tests of the engine: worked examples, a second opinion, properties, golden files."""
