//! The allocator of a target, which counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

static HELD_BYTES: AtomicU64 = AtomicU64::new(0);
static PEAK_BYTES: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, with every byte counted that Rust asks for.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD_BYTES.fetch_add(layout.size() as u64, Ordering::Relaxed);
        PEAK_BYTES.fetch_max(held + layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD_BYTES.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.dealloc(place, layout) }
    }
}

/// What work gives, with the bytes that it took at its peak over those held before.
pub fn peak_bytes<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = HELD_BYTES.load(Ordering::Relaxed);
    PEAK_BYTES.store(before, Ordering::Relaxed);
    let result = work();
    (result, PEAK_BYTES.load(Ordering::Relaxed).saturating_sub(before))
}
