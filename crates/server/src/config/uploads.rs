//! Limits on uploads.

use super::reader::Reader;

/// The section `[uploads]`.
#[derive(Clone, Debug)]
pub struct UploadSettings {
    /// The maximum number of uploads that an account has at a time.
    pub per_account_max: usize,
    /// Their maximum total size, in bytes.
    pub bytes_per_account_max: u64,
    /// Uploads per minute and account.
    pub per_minute_per_account: u32,
}

impl UploadSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            per_account_max: reader.number("uploads.per_account_max", 1..=1_000_000),
            bytes_per_account_max: reader.size("uploads.size_per_account_max", 1024..=1 << 50),
            per_minute_per_account: reader.number("uploads.per_minute_per_account", 1..=1_000_000),
        }
    }
}
