//! Previews in the studio.

use super::reader::Reader;

/// The section `[studio]`.
#[derive(Clone, Debug)]
pub struct StudioSettings {
    /// Previews and plans per minute and client address, for visitors without an account; 0 if they
    /// get none.
    pub visitor_previews_per_minute_per_address: u32,
    /// Memory for reduced copies of images that are being previewed, in bytes.
    pub preview_bytes_max: u64,
}

impl StudioSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            visitor_previews_per_minute_per_address: reader
                .number("studio.visitor_previews_per_minute_per_address", 0..=1_000_000),
            preview_bytes_max: reader.size("studio.preview_memory_max", 0..=1 << 40),
        }
    }
}
