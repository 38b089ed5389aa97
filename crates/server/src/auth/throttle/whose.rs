//! The keys by which limits count callers.

use std::net::{IpAddr, Ipv6Addr};

use retouch_core::AccountId;
use retouch_store::Whose;
use sha2::{Digest, Sha256};

/// The key of a client: an IPv4 address, or the network half of an IPv6 address, because clients
/// can choose the other half freely. Callers without an address share one key.
pub(crate) fn address_key(address: Option<IpAddr>) -> Whose {
    match address.map(|address| address.to_canonical()) {
        None => [0; 16],
        Some(IpAddr::V4(address)) => address.to_ipv6_mapped().octets(),
        Some(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).octets(),
    }
}

/// A client address in place of an account, where accounts take turns.
pub(crate) fn address_account(address: Option<IpAddr>) -> AccountId {
    AccountId::stand_in(address_key(address))
}

/// The key of an account or API key: half a hash of its name, so that long names take no more
/// memory.
pub(super) fn half_hash(name: &str) -> Whose {
    let hash: [u8; 32] = Sha256::digest(name).into();
    *hash.first_chunk().unwrap_or(&[0; 16])
}
