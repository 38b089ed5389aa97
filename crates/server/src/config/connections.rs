//! Limits on the number, age and speed of connections.

use super::duration::{DAY_MS, MINUTE_MS};
use super::reader::Reader;

/// The settings in `[server]` about connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionSettings {
    /// Maximum number of open connections.
    pub connections_max: usize,
    /// Maximum number of open connections per client address; 0 for no limit.
    pub per_address_max: usize,
    /// How long a connection may be open without a request, in milliseconds.
    pub idle_ms_max: u64,
    /// Maximum age of a connection, in milliseconds.
    pub age_ms_max: u64,
    /// Minimum rate at which a client must send a body or read a response, in bytes per second.
    pub bytes_per_second_min: u32,
    /// How long a client may stay below that rate, in milliseconds.
    pub grace_ms: u64,
    /// Maximum number of open streams of events.
    pub event_streams_max: usize,
    /// Maximum number of open streams of events per account.
    pub event_streams_per_account_max: usize,
}

impl ConnectionSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            connections_max: reader.number("server.connections_max", 1..=1_000_000),
            per_address_max: reader.number("server.connections_per_address_max", 0..=1_000_000),
            idle_ms_max: reader.duration("server.connection_idle_max", 100..=DAY_MS),
            age_ms_max: reader.duration("server.connection_age_max", 100..=7 * DAY_MS),
            bytes_per_second_min: reader.size("server.transfer_per_second_min", 1..=1 << 30),
            grace_ms: reader.duration("server.transfer_grace", 100..=10 * MINUTE_MS),
            event_streams_max: reader.number("server.event_streams_max", 1..=1_000_000),
            event_streams_per_account_max: reader
                .number("server.event_streams_per_account_max", 1..=1_000_000),
        }
    }
}
