//! Where memory comes from, in every program that has the service in it; SQLite keeps to the system's allocator.

use tikv_jemallocator::Jemalloc;

/// jemalloc, since it gives back what a burst of calls took within seconds: threads of its own return pages
/// that nobody has used for one (`.cargo/config.toml`). glibc's keeps them, up to the worst burst that there ever was,
/// and takes up to a third longer for results of megabytes (bench/README.md, "Half an hour at 70 %").
///
/// It stands in the library and not in the program, so that what is measured and tested has it too.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;
