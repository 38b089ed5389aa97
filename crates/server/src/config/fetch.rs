//! How images are downloaded from URLs that callers send.

use ipnet::IpNet;

use super::duration::{self, MINUTE_MS};
use super::network::network;
use super::reader::Reader;

/// The section `[fetch]`.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// Networks that are allowed although they are not public.
    pub allowed_networks: Vec<IpNet>,
    /// Largest image to download, in bytes.
    pub bytes_max: usize,
    /// Time limit for downloading all images of a request, in milliseconds.
    pub total_ms_max: u64,
    /// Time limit for connecting, in milliseconds.
    pub connect_ms_max: u64,
    /// Requests whose images are downloaded at the same time.
    pub concurrent_max: usize,
    /// The same per account without a paid plan.
    pub concurrent_without_plan_max: usize,
    /// Maximum number of redirects to follow.
    pub redirects_max: usize,
}

impl FetchSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let fetch = Self {
            allowed_networks: reader.list("fetch.allowed_networks", network),
            bytes_max: reader.size("fetch.size_max", 1024..=1 << 30),
            total_ms_max: reader.duration("fetch.total_time_max", 100..=10 * MINUTE_MS),
            connect_ms_max: reader.duration("fetch.connect_time_max", 10..=10 * MINUTE_MS),
            concurrent_max: reader.number("fetch.concurrent_max", 1..=100_000),
            concurrent_without_plan_max: reader
                .number("fetch.concurrent_without_plan_max", 1..=100_000),
            redirects_max: reader.number("fetch.redirects_max", 0..=10),
        };
        if fetch.connect_ms_max > fetch.total_ms_max {
            let [connect, total] = [fetch.connect_ms_max, fetch.total_ms_max].map(duration::show);
            let message = format!("{connect} is more than fetch.total_time_max ({total})");
            reader.refuse_pair("fetch.connect_time_max", "fetch.total_time_max", message);
        }
        fetch
    }
}
