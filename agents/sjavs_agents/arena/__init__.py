"""Matches between agents: boards, estimates with intervals, records, reports."""
