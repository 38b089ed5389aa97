//! The system's allocator, counted: memory at its peak, for whatever measures it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

static HELD_BYTES: AtomicU64 = AtomicU64::new(0);
static PEAK_BYTES: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, with every byte counted that Rust asks for.
#[derive(Debug)]
pub(crate) struct Counting;

#[expect(unsafe_code, reason = "counting what is allocated is only possible in the allocator")]
// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // What grows may have to move, which takes both; what shrinks stays.
        if size > layout.size() {
            take(size);
            give_back(layout.size());
        } else {
            give_back(layout.size() - size);
        }
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.dealloc(place, layout) }
    }
}

fn take(bytes: usize) {
    let held = HELD_BYTES.fetch_add(bytes as u64, Ordering::Relaxed);
    PEAK_BYTES.fetch_max(held + bytes as u64, Ordering::Relaxed);
}

fn give_back(bytes: usize) {
    HELD_BYTES.fetch_sub(bytes as u64, Ordering::Relaxed);
}

/// What work gives, with the bytes that it took at its peak over those held before. The counters are
/// the process's, so that only one work at a time can be measured.
pub(crate) fn peak_bytes<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = HELD_BYTES.load(Ordering::Relaxed);
    PEAK_BYTES.store(before, Ordering::Relaxed);
    let result = work();
    (result, PEAK_BYTES.load(Ordering::Relaxed).saturating_sub(before))
}
