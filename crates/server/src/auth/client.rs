//! Which client a call comes from, when proxies stand in between.

pub(crate) mod browser;

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

use crate::app::App;

/// Where proxies write whom they speak for.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Most characters that are kept of what a browser calls itself.
const USER_AGENT_CHARS_MAX: usize = 300;

/// What the client calls itself, as far as it can be shown.
pub fn user_agent(headers: &HeaderMap) -> Option<String> {
    let name = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let shown: String = name.chars().take(USER_AGENT_CHARS_MAX).collect();
    Some(shown).filter(|name| !name.trim().is_empty())
}

/// The address of the client that a call came from, behind the proxies that the operator trusts.
pub(crate) fn of_call(app: &App, parts: &Parts) -> Option<IpAddr> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip();
    Some(address(peer, &parts.headers, &app.settings.server.trusted_proxies))
}

/// The client's address: `peer`, or, where `peer` is a trusted proxy, the last address that it
/// and the trusted proxies before it were called from. What an untrusted caller writes into the
/// header counts for nothing.
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
