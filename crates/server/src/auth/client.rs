//! The client address of a call, also behind proxies.

pub(crate) mod browser;

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

use crate::app::App;

/// The header in which proxies list the addresses that they were called from.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The maximum length of a stored `User-Agent`, in characters.
const USER_AGENT_CHARS_MAX: usize = 300;

/// The `User-Agent` of the client, shortened if it is long; none if it is empty or not ASCII text.
pub fn user_agent(headers: &HeaderMap) -> Option<String> {
    let name = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let shown: String = name.chars().take(USER_AGENT_CHARS_MAX).collect();
    Some(shown).filter(|name| !name.trim().is_empty())
}

/// The client address of a call, seen through the proxies that the operator trusts.
pub(crate) fn of_call(app: &App, parts: &Parts) -> Option<IpAddr> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip();
    Some(address(peer, &parts.headers, &app.settings.server.trusted_proxies))
}

/// The client's address: `peer`, or, if `peer` is a trusted proxy, the last address in the header
/// that is not itself a trusted proxy. Addresses before that one are ignored, because an untrusted
/// caller may have written them.
pub fn address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let values = headers.get_all(FORWARDED_FOR).iter().rev();
    let texts = values.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
    let mut client = peer.to_canonical();
    for text in texts {
        if !is_trusted(client) {
            break;
        }
        match text.trim().parse::<IpAddr>() {
            Ok(address) => client = address.to_canonical(),
            Err(_) => break,
        }
    }
    client
}
