//! What survives a restart: rows and blobs.
