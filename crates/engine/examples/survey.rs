//! Decodes one file that nobody vouches for, twice in memory that was dirtied differently, and says
//! in JSON what came of it; `tests/pictures/run` asks it for every file of the collections.
//!
//! `survey FILE PIXELS`: RGBA is written to PIXELS where the file is decoded.

#![expect(clippy::print_stdout, reason = "what it says is what it is for")]

#[path = "../tests/memory/counting.rs"]
mod counting;

use counting::{Counting, peak_bytes};
use retouch_engine::codec::{DecodeError, Format, Header, Limits, decode, probe};
use retouch_engine::{Picture, limits};
use serde_json::{Value, json};
use std::alloc::{GlobalAlloc, Layout};
use std::error::Error;
use std::sync::atomic::{AtomicU8, Ordering};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(file), Some(pixels)) = (arguments.next(), arguments.next()) else {
        return Err("survey FILE PIXELS".into());
    };
    // Panics of decoders are caught and told as damage; their words would only be noise.
    std::panic::set_hook(Box::new(|_| {}));
    let bytes = std::fs::read(file)?;
    let (first, peak_bytes) = decoded(&bytes, 0xA5);
    let (second, _) = decoded(&bytes, 0x5A);
    if first != second {
        return Err("stale memory shows: two decodings differ".into());
    }
    let said = match first {
        Ok(picture) => {
            std::fs::write(pixels, picture.pixels())?;
            let header = probe(&bytes, &Limits::default())?;
            told(&picture, &header, peak_bytes)
        }
        Err(error) => json!({
            "refused": kind(&error),
            "format": Format::of(&bytes).map(|format| format.to_string()),
            "reason": error.to_string(),
            "peak_bytes": peak_bytes,
        }),
    };
    println!("{said}");
    Ok(())
}

fn told(picture: &Picture, header: &Header, peak_bytes: u64) -> Value {
    json!({
        "format": header.format.to_string(),
        "width": picture.width(),
        "height": picture.height(),
        "header_size": header.size(),
        "pixels": u64::from(picture.width()) * u64::from(picture.height()) * limits::PIXEL_BYTES,
        "peak_bytes": peak_bytes,
        "announced_bytes": header.decode_bytes,
    })
}

fn kind(error: &DecodeError) -> &'static str {
    match error {
        DecodeError::Empty => "empty",
        DecodeError::UnknownFormat { .. } | DecodeError::Foreign { .. } => "unknown format",
        DecodeError::TooLarge(_) => "too large",
        DecodeError::Truncated { .. } => "cut off",
        DecodeError::Damaged { .. } => "damaged",
        DecodeError::Unsupported { .. } => "unsupported",
        DecodeError::Unfit { .. } | DecodeError::Unwritten { .. } => "not a refusal to read",
    }
}

/// A decoding in memory full of one byte, and the memory that it took at its peak.
fn decoded(bytes: &[u8], dirt: u8) -> (Result<Picture, DecodeError>, u64) {
    DIRT.store(dirt, Ordering::Relaxed);
    peak_bytes(|| decode(bytes, &Limits::default()))
}

static DIRT: AtomicU8 = AtomicU8::new(0);

/// The counted allocator, whose memory comes dirty.
struct Dirty;

#[expect(unsafe_code, reason = "only the allocator sees memory before it is written")]
// SAFETY: every call is handed on unchanged; new memory is filled to its length.
unsafe impl GlobalAlloc for Dirty {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the other allocator's.
        let place = unsafe { Counting.alloc(layout) };
        if !place.is_null() {
            // SAFETY: the place has as many bytes as were asked for, and nobody else knows it.
            unsafe { place.write_bytes(DIRT.load(Ordering::Relaxed), layout.size()) };
        }
        place
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the other allocator's.
        unsafe { Counting.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Dirty = Dirty;
