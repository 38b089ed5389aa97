//! Deciding what an edit is and what it costs: no I/O, no async, no HTTP, no SQL.
