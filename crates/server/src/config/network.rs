//! Reads web addresses and networks in settings.

use ipnet::IpNet;
use url::{Host, Url};

/// Reads a network such as `10.0.0.0/8`, or a single address.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    let alone = || text.parse::<std::net::IpAddr>().map(IpNet::from);
    text.parse::<IpNet>()
        .or_else(|_| alone())
        .map_err(|_| "expected a network such as 10.0.0.0/8 or fd00::/8".to_owned())
}

/// Reads an `http` or `https` URL with a host, but no credentials, query or fragment.
pub(super) fn web_address(text: &str) -> Result<Url, String> {
    let expected = || "expected an address such as https://example.com".to_owned();
    let url = Url::parse(text).map_err(|_| expected())?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let has_more = !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some();
    if is_web && !has_more { Ok(url) } else { Err(expected()) }
}

/// Reads a URL that has only a scheme, host and port.
pub(super) fn web_origin(text: &str) -> Result<Url, String> {
    match web_address(text)? {
        url if url.path() == "/" => Ok(url),
        _ => Err("expected an address without a path, such as https://example.com".to_owned()),
    }
}

/// Whether traffic to `url` is unencrypted and leaves this machine.
pub(super) fn is_in_the_clear(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "http" && !is_here
}
