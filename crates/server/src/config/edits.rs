//! Limits on edits: size, memory, time and number. Also the fonts they use.

use std::path::PathBuf;

use super::duration::{self, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use super::machine;
use super::reader::Reader;

/// By default, edits may use a quarter of the machine's memory.
const MEMORY_PARTS: u64 = 4;
/// Edits in progress per thread of the built-in editor: enough that a thread never waits for the
/// next one, and few enough that new edits start soon.
const EDITS_FOR_EACH_WORKER: usize = 4;
/// How many renewals must fit into a lease, so that one late renewal does not lose it.
const RENEWALS_IN_A_LEASE: u64 = 3;

/// The section `[edits]`.
#[derive(Clone, Debug)]
pub struct EditSettings {
    /// Largest input image, in bytes.
    pub image_bytes_max: usize,
    /// Largest image after decoding, in pixels.
    pub image_pixels_max: u64,
    /// Memory for all edits in progress, in bytes.
    pub memory_bytes_max: u64,
    /// Threads that decode, edit and encode images.
    pub workers_max: usize,
    /// Edits that may wait for memory.
    pub queue_max: usize,
    /// Font files for characters that the built-in fonts do not have, tried in this order.
    pub fonts: Vec<PathBuf>,
    /// Calls that cost credits, per minute and account; 0 for no limit.
    pub calls_per_minute_per_account: u32,
    /// The same per API key.
    pub calls_per_minute_per_key: u32,
    /// The same per client address.
    pub calls_per_minute_per_address: u32,
    /// Failed calls that cost nothing, per minute and account; 0 for no limit.
    pub failures_per_minute_per_account: u32,
    /// Image edits in progress per account, waiting ones included.
    pub per_account_max: usize,
    /// Image edits that providers work on at the same time.
    pub at_providers_max: usize,
    /// How long an edit belongs to its process without a heartbeat, in milliseconds.
    pub lease_ms: i64,
    /// Interval between heartbeats, in milliseconds.
    pub lease_renew_every_ms: u64,
    /// How often to look for edits whose process is gone, in milliseconds.
    pub sweep_every_ms: u64,
    /// Time limit for a provider to make an image, in milliseconds.
    pub provider_ms_max: u64,
    /// Time limit for background work from its acceptance, across restarts, in milliseconds.
    pub background_ms_max: u64,
    /// Videos in progress per account.
    pub videos_per_account_max: usize,
    /// Refusals by providers in a day (UTC) after which an account has to wait; 0 for never.
    pub refusals_per_day_before_wait: u32,
    /// Refusals in a day after which an account may not use providers until an administrator lifts
    /// the pause; 0 for never.
    pub refusals_per_day_before_pause: u32,
    /// Videos in progress, all accounts together.
    pub videos_max: usize,
    /// Memory for the requests of all videos in progress, in bytes.
    pub video_memory_bytes_max: u64,
    /// Images made in the background at the same time, all accounts together.
    pub async_images_max: usize,
    /// Memory for the requests of all images being made in the background, in bytes.
    pub async_image_memory_bytes_max: u64,
    /// Disk space for the stored requests of all background work, in bytes.
    pub background_disk_bytes_max: u64,
}

impl EditSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let edits = Self {
            image_bytes_max: reader.size("edits.image_size_max", 1024..=1 << 30),
            image_pixels_max: reader.number("edits.image_pixels_max", 1..=50_000_000),
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
            at_providers_max: reader.number("edits.at_providers_max", 1..=1_000_000),
            lease_ms: reader.duration("edits.lease", SECOND_MS..=HOUR_MS),
            lease_renew_every_ms: reader.duration("edits.lease_renew_every", 100..=20 * MINUTE_MS),
            sweep_every_ms: reader.duration("edits.sweep_every", 100..=HOUR_MS),
            provider_ms_max: reader.duration("edits.provider_time_max", 100..=HOUR_MS),
            background_ms_max: reader.duration("edits.background_time_max", 100..=DAY_MS),
            refusals_per_day_before_pause: reader
                .number("edits.refusals_per_day_before_pause", 0..=1_000_000),
            refusals_per_day_before_wait: reader
                .number("edits.refusals_per_day_before_wait", 0..=1_000_000),
            videos_per_account_max: reader.number("edits.videos_per_account_max", 1..=1_000_000),
            videos_max: reader.number("edits.videos_max", 1..=1_000_000),
            video_memory_bytes_max: reader.size("edits.video_memory_max", 1024 * 1024..=1 << 44),
            async_images_max: reader.number("edits.async_images_max", 1..=1_000_000),
            async_image_memory_bytes_max: reader
                .size("edits.async_image_memory_max", 1024 * 1024..=1 << 44),
            background_disk_bytes_max: reader
                .size("edits.background_disk_max", 1024 * 1024..=1 << 50),
        };
        let (lease_ms, renewal_ms) = (edits.lease_ms.unsigned_abs(), edits.lease_renew_every_ms);
        if renewal_ms.saturating_mul(RENEWALS_IN_A_LEASE) > lease_ms {
            let [renewal, lease] = [renewal_ms, lease_ms].map(duration::show);
            let message = format!("{renewal} is more than a third of edits.lease ({lease})");
            reader.refuse_pair("edits.lease_renew_every", "edits.lease", message);
        }
        edits
    }

    /// How many edits the built-in editor works on at the same time.
    pub fn built_in_turns(&self) -> usize {
        self.workers_max.saturating_mul(EDITS_FOR_EACH_WORKER)
    }
}

fn memory_bytes_max(reader: &mut Reader<'_>) -> u64 {
    match reader.size("edits.memory_max", 0..=1 << 50) {
        0 => machine::memory_bytes() / MEMORY_PARTS,
        bytes => bytes,
    }
}

/// `count`, or the number of cores if it is 0.
pub(super) fn or_cores(count: usize) -> usize {
    if count == 0 { machine::cores() } else { count }
}
