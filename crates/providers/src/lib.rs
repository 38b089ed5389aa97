//! Who performs an edit: one trait, one registry, one HTTP client.
