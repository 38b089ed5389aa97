//! Where the memory of every program that serves comes from.

use tikv_jemallocator::Jemalloc;

/// jemalloc, since it gives back what a burst of calls took within some twenty seconds: a thread of its
/// own returns pages that nobody has used for ten. glibc's keeps them, up to the worst burst that there
/// ever was (bench/README.md, "Half an hour at 70 %"), and takes a third longer for results of megabytes.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;
