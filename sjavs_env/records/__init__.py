"""Games on paper: written down while they are played, kept as lines of JSON, replayed."""

from sjavs_env.records.files import (
    DealLog,
    History,
    Position,
    Record,
    deal_result,
    read_records,
    record_so_far,
    replay,
    verify,
    verify_file,
    write_record,
)

__all__ = [
    "DealLog",
    "History",
    "Position",
    "Record",
    "deal_result",
    "read_records",
    "record_so_far",
    "replay",
    "verify",
    "verify_file",
    "write_record",
]
