//! Which network addresses are public, and which lead into private networks.

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address belongs to the public internet, so that a download from it cannot reach the
/// operator's networks or this machine.
///
/// IPv6 addresses that embed an IPv4 address (mapped, translated, compatible, NAT64, 6to4, Teredo,
/// ISATAP) are never public, because other machines decide where they lead.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Whether downloads from an address are allowed: it is public, or in a network that the operator
/// allows.
#[must_use]
pub fn is_permitted(address: IpAddr, allowed_networks: &[IpNet]) -> bool {
    is_public(address) || is_allowed(address, allowed_networks)
}

/// Whether an address is in a network that the operator allows. An IPv6 address that only rewrites
/// an IPv4 address (`::ffff:0:0/96`) counts as that IPv4 address.
#[must_use]
pub fn is_allowed(address: IpAddr, allowed_networks: &[IpNet]) -> bool {
    let address = address.to_canonical();
    allowed_networks.iter().any(|network| network.contains(&address))
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !NOT_PUBLIC_V4.iter().any(|network| network.contains(&address))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    GLOBAL_UNICAST.contains(&address)
        && !NOT_PUBLIC_V6.iter().any(|network| network.contains(&address))
        && !is_isatap(address)
}

/// ISATAP puts an IPv4 address after this pattern in the interface half of the address (RFC 5214,
/// 6.1).
fn is_isatap(address: Ipv6Addr) -> bool {
    matches!(address.segments(), [_, _, _, _, 0 | 0x0200, 0x5EFE, _, _])
}

const fn v4(octets: [u8; 4], prefix_bits: u8) -> Ipv4Net {
    let [a, b, c, d] = octets;
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix_bits)
}

const fn v6(first: [u16; 3], prefix_bits: u8) -> Ipv6Net {
    let [a, b, c] = first;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix_bits)
}

/// The IANA IPv4 special-purpose registry (RFC 6890 and its updates), and Azure's service address.
const NOT_PUBLIC_V4: [Ipv4Net; 17] = [
    v4([0, 0, 0, 0], 8),          // this network
    v4([10, 0, 0, 0], 8),         // private
    v4([100, 64, 0, 0], 10),      // shared by carriers; Alibaba's metadata at 100.100.100.200
    v4([127, 0, 0, 0], 8),        // loopback
    v4([168, 63, 129, 16], 32),   // Azure's own services, in a public range
    v4([169, 254, 0, 0], 16),     // link-local, most clouds' metadata
    v4([172, 16, 0, 0], 12),      // private
    v4([192, 0, 0, 0], 24),       // protocol assignments; Oracle's metadata at 192.0.0.192
    v4([192, 0, 2, 0], 24),       // documentation
    v4([192, 88, 99, 0], 24),     // 6to4 relays
    v4([192, 168, 0, 0], 16),     // private
    v4([198, 18, 0, 0], 15),      // benchmarking
    v4([198, 51, 100, 0], 24),    // documentation
    v4([203, 0, 113, 0], 24),     // documentation
    v4([224, 0, 0, 0], 4),        // multicast
    v4([240, 0, 0, 0], 4),        // reserved
    v4([255, 255, 255, 255], 32), // broadcast
];

/// IANA's global unicast space. Everything outside is special or unassigned, which excludes `::`,
/// `::1`, compatible, mapped and translated IPv4, NAT64 (`64:ff9b::/96` and `64:ff9b:1::/48`),
/// `100::/64`, `5f00::/16`, `fc00::/7`, `fe80::/10`, `fec0::/10`, `ff00::/8`.
const GLOBAL_UNICAST: Ipv6Net = v6([0x2000, 0, 0], 3);

/// The special-purpose blocks inside global unicast (IANA IPv6 special-purpose registry).
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    v6([0x2001, 0, 0], 23),      // protocol assignments, Teredo among them
    v6([0x2001, 0x0DB8, 0], 32), // documentation
    v6([0x2002, 0, 0], 16),      // 6to4
    v6([0x3FFF, 0, 0], 20),      // documentation
];
