//! How much work edits may be, how long it may take, and with which fonts they write.

use std::path::PathBuf;

use super::machine;
use super::reader::Reader;

/// Part of the machine's memory that edits may take where the operator does not say: a quarter.
const MEMORY_PARTS: u64 = 4;
/// Edits for each thread that the built-in editor has in work at once: enough that a thread never
/// waits for the next one, few enough that whoever comes now is soon served.
const EDITS_FOR_EACH_WORKER: usize = 4;
/// Times that a lease must be renewable before it ends, so that one late renewal loses nothing.
const RENEWALS_IN_A_LEASE: u64 = 3;

/// The section `[edits]`.
#[derive(Clone, Debug)]
pub struct EditSettings {
    /// Largest input picture as a file, in bytes.
    pub picture_bytes_max: usize,
    /// Largest picture once it is decoded, in pixels.
    pub picture_pixels_max: u64,
    /// Memory that all the edits under way together may take, in bytes.
    pub memory_bytes_max: u64,
    /// Threads that decode, edit and encode.
    pub workers_max: usize,
    /// Edits that may wait for memory.
    pub queue_max: usize,
    /// Font files for characters that the built-in fonts lack, in the order of trying.
    pub fonts: Vec<PathBuf>,
    /// Calls that charge which one account may make in a minute; 0 is no limit.
    pub calls_per_minute_per_account: u32,
    /// The same for one API key.
    pub calls_per_minute_per_key: u32,
    /// The same for one client address.
    pub calls_per_minute_per_address: u32,
    /// Calls that fail without a charge which one account may make in a minute; 0 is no limit.
    pub failures_per_minute_per_account: u32,
    /// Edits of pictures that one account may have under way at once, those that wait included.
    pub per_account_max: usize,
    /// Edits of pictures that vendors work on at once.
    pub at_vendors_max: usize,
    /// How long an edit belongs to its process without a sign of life, in milliseconds.
    pub lease_ms: i64,
    /// How often that sign of life is given, in milliseconds.
    pub lease_renew_every_ms: u64,
    /// How often edits whose process is gone are looked for, in milliseconds.
    pub sweep_every_ms: u64,
    /// How long a provider may take over an image, in milliseconds.
    pub provider_ms_max: u64,
    /// How long a video may take from its acceptance, restarts included, in milliseconds.
    pub video_provider_ms_max: u64,
    /// Videos that one account may have under way at once.
    pub videos_per_account_max: usize,
    /// Refusals by providers in a day (UTC) after which an account has to wait; 0: it never has to.
    pub refusals_per_day_before_wait: u32,
    /// Refusals in a day after which an account may not use providers until an administrator has
    /// looked; 0: it always may.
    pub refusals_per_day_before_pause: u32,
    /// Videos that may be under way at once, of all accounts.
    pub videos_max: usize,
    /// Memory that the requests of the videos under way together may take, in bytes.
    pub video_memory_bytes_max: u64,
}

impl EditSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let edits = Self {
            picture_bytes_max: reader.number("edits.picture_bytes_max", 1024..=1 << 30),
            picture_pixels_max: reader.number("edits.picture_pixels_max", 1..=50_000_000),
            memory_bytes_max: memory_bytes_max(reader),
            workers_max: or_cores(reader.number("edits.workers_max", 0..=1024)),
            queue_max: reader.number("edits.queue_max", 1..=1_000_000),
            fonts: reader.list("edits.fonts", |path| Ok(path.into())),
            calls_per_minute_per_account: reader
                .number("edits.calls_per_minute_per_account", 0..=100_000_000),
            calls_per_minute_per_key: reader
                .number("edits.calls_per_minute_per_key", 0..=100_000_000),
            calls_per_minute_per_address: reader
                .number("edits.calls_per_minute_per_address", 0..=100_000_000),
            failures_per_minute_per_account: reader
                .number("edits.failures_per_minute_per_account", 0..=100_000_000),
            per_account_max: reader.number("edits.per_account_max", 1..=1_000_000),
            at_vendors_max: reader.number("edits.at_vendors_max", 1..=1_000_000),
            lease_ms: reader.number("edits.lease_ms", 1000..=3_600_000),
            lease_renew_every_ms: reader.number("edits.lease_renew_every_ms", 100..=1_200_000),
            sweep_every_ms: reader.number("edits.sweep_every_ms", 100..=3_600_000),
            provider_ms_max: reader.number("edits.provider_ms_max", 100..=3_600_000),
            video_provider_ms_max: reader.number("edits.video_provider_ms_max", 100..=86_400_000),
            refusals_per_day_before_pause: reader
                .number("edits.refusals_per_day_before_pause", 0..=1_000_000),
            refusals_per_day_before_wait: reader
                .number("edits.refusals_per_day_before_wait", 0..=1_000_000),
            videos_per_account_max: reader.number("edits.videos_per_account_max", 1..=1_000_000),
            videos_max: reader.number("edits.videos_max", 1..=1_000_000),
            video_memory_bytes_max: reader
                .number("edits.video_memory_bytes_max", 1024 * 1024..=1 << 44),
        };
        let (lease, renewal) = (edits.lease_ms, edits.lease_renew_every_ms);
        if renewal.saturating_mul(RENEWALS_IN_A_LEASE) > lease.unsigned_abs() {
            let message = format!("{renewal} is more than a third of edits.lease_ms, {lease}");
            reader.refuse("edits.lease_renew_every_ms", message);
        }
        edits
    }

    /// How many edits the built-in editor has in work at once.
    pub fn built_in_turns(&self) -> usize {
        self.workers_max.saturating_mul(EDITS_FOR_EACH_WORKER)
    }
}

fn memory_bytes_max(reader: &mut Reader<'_>) -> u64 {
    match reader.number("edits.memory_bytes_max", 0..=1 << 50) {
        0 => machine::memory_bytes() / MEMORY_PARTS,
        bytes => bytes,
    }
}

/// `count`, or one for each core when it is 0.
pub(super) fn or_cores(count: usize) -> usize {
    if count == 0 { machine::cores() } else { count }
}
