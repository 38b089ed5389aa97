//! How pictures are fetched from the addresses that callers name.

use ipnet::IpNet;

use super::network::network;
use super::reader::Reader;

/// The section `[fetch]`.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// Networks that may be reached although they are not public.
    pub allowed_networks: Vec<IpNet>,
    /// Largest picture that is fetched, in bytes.
    pub bytes_max: usize,
    /// How long all the pictures of a request may take to arrive, in milliseconds.
    pub total_ms_max: u64,
    /// How long a connection may take to be made, in milliseconds.
    pub connect_ms_max: u64,
    /// Requests whose pictures are fetched at the same time.
    pub concurrent_max: usize,
    /// Requests of one account without a plan whose pictures are fetched at the same time.
    pub concurrent_without_plan_max: usize,
    /// Redirects that are followed.
    pub redirects_max: usize,
}

impl FetchSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let fetch = Self {
            allowed_networks: reader.list("fetch.allowed_networks", network),
            bytes_max: reader.number("fetch.bytes_max", 1024..=1 << 30),
            total_ms_max: reader.number("fetch.total_ms_max", 100..=600_000),
            connect_ms_max: reader.number("fetch.connect_ms_max", 10..=600_000),
            concurrent_max: reader.number("fetch.concurrent_max", 1..=100_000),
            concurrent_without_plan_max: reader
                .number("fetch.concurrent_without_plan_max", 1..=100_000),
            redirects_max: reader.number("fetch.redirects_max", 0..=10),
        };
        if fetch.connect_ms_max > fetch.total_ms_max {
            let (connect, total) = (fetch.connect_ms_max, fetch.total_ms_max);
            reader.refuse(
                "fetch.connect_ms_max",
                format!("{connect} is more than fetch.total_ms_max, {total}"),
            );
        }
        fetch
    }
}
