//! The memory allocator of every program that contains the service. SQLite uses the system's
//! allocator.

use tikv_jemallocator::Jemalloc;

/// jemalloc, because it returns memory to the system within seconds after a burst of requests. Its
/// own threads return pages that have been unused for a second (`.cargo/config.toml`). glibc's
/// allocator keeps the memory of the largest burst.
///
/// It is set in the library rather than the binary, so that tests and benchmarks use it too.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;
