//! Where the service listens and how it treats connections.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use url::Url;

use super::connections::ConnectionSettings;
use super::network::{network, web_origin};
use super::reader::Reader;
use crate::http::bodies::ANSWER_BYTES;

/// A host's name is at most as long (RFC 1035, 2.3.4).
const NODE_NAME_BYTES_MAX: usize = 255;

const SHARE: &str = "server.bodies_bytes_per_account_max";
/// Part of the memory for bodies that one account may take where the operator does not say: a quarter.
const BODIES_PARTS: usize = 4;

/// The section `[server]`.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Address and port to listen on; port 0 picks a free one.
    pub listen: SocketAddr,
    /// The address that the operator says callers use; [`ServerSettings::public_url`] is the one
    /// to hand out.
    pub public_url: Option<Url>,
    /// What the operator calls this node among those that serve one database; one process at a time
    /// has the name.
    pub node_name: Option<String>,
    /// Networks of reverse proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// What a connection may do.
    pub connections: ConnectionSettings,
    /// Largest request body, in bytes.
    pub body_bytes_max: usize,
    /// Memory that all request bodies under way together may take, in bytes.
    pub bodies_bytes_max: usize,
    /// How much of it the bodies of one account may take, or of one client address where no account
    /// is known, in bytes.
    pub bodies_bytes_per_account_max: usize,
    /// Calls of the API that read which one account may make in a minute; 0 is no limit.
    pub reads_per_minute_per_account: u32,
    /// The same for one client address, of calls without an account.
    pub reads_per_minute_per_address: u32,
    /// How long the head of a request may take to arrive, in milliseconds.
    pub header_read_ms_max: u64,
    /// How long the body of a request may take to arrive, in milliseconds.
    pub body_read_ms_max: u64,
    /// How long a stop goes on taking calls while `/readyz` says that it is stopping, in milliseconds.
    pub stop_announce_ms: u64,
    /// How long a stop then waits for what is running, in milliseconds.
    pub stop_wait_ms_max: u64,
}

impl ServerSettings {
    /// The address that callers use, in every link handed out: what the operator says, else made
    /// from `bound`, the address that is really listened on.
    pub fn public_url(&self, bound: SocketAddr) -> Url {
        self.public_url.clone().unwrap_or_else(|| derived(bound))
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let listen = reader.required("server.listen", |text| {
            text.parse()
                .map_err(|_| "expected an address and port such as 127.0.0.1:8080".to_owned())
        });
        let server = Self {
            listen: listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 0))),
            public_url: reader.optional("server.public_url", web_origin),
            node_name: reader.optional("server.node_name", node_name),
            trusted_proxies: reader.list("server.trusted_proxies", network),
            connections: ConnectionSettings::read(reader),
            body_bytes_max: reader.number("server.body_bytes_max", 1024..=1 << 30),
            bodies_bytes_max: reader.number("server.bodies_bytes_max", 1 << 20..=1 << 40),
            bodies_bytes_per_account_max: reader.number(SHARE, 0..=1 << 40),
            reads_per_minute_per_account: reader
                .number("server.reads_per_minute_per_account", 0..=100_000_000),
            reads_per_minute_per_address: reader
                .number("server.reads_per_minute_per_address", 0..=100_000_000),
            header_read_ms_max: reader.number("server.header_read_ms_max", 100..=600_000),
            body_read_ms_max: reader.number("server.body_read_ms_max", 100..=3_600_000),
            stop_announce_ms: reader.number("server.stop_announce_ms", 0..=600_000),
            stop_wait_ms_max: reader.number("server.stop_wait_ms_max", 0..=3_600_000),
        };
        if server.body_bytes_max > server.bodies_bytes_max {
            let (one, all) = (server.body_bytes_max, server.bodies_bytes_max);
            let message = format!("{one} is more than server.bodies_bytes_max, {all}");
            reader.refuse("server.body_bytes_max", message);
        }
        server.with_share(reader)
    }

    /// The same with the share that each account has of the memory for bodies.
    fn with_share(mut self, reader: &mut Reader<'_>) -> Self {
        let (one, share) = (self.body_bytes_max, self.bodies_bytes_per_account_max);
        let one = one.max(usize::try_from(ANSWER_BYTES).unwrap_or(usize::MAX));
        if share == 0 {
            self.bodies_bytes_per_account_max = one.max(self.bodies_bytes_max / BODIES_PARTS);
        } else if share < one {
            let message = format!("{share} is neither 0 nor as much as one call may take, {one}");
            reader.refuse(SHARE, message);
        }
        self
    }
}

fn node_name(text: &str) -> Result<String, String> {
    let fits = |c: u8| c.is_ascii_alphanumeric() || b"-._".contains(&c);
    if text.len() <= NODE_NAME_BYTES_MAX && text.bytes().all(fits) {
        return Ok(text.to_owned());
    }
    Err(format!("expected at most {NODE_NAME_BYTES_MAX} letters, digits, '-', '.' and '_'"))
}

/// `http://` and `bound`; a wildcard is no address that a caller can use, `localhost` is.
#[expect(clippy::expect_used, reason = "an address and a port always make a URL")]
fn derived(bound: SocketAddr) -> Url {
    let port = bound.port();
    let text = match bound.ip() {
        ip if ip.is_unspecified() => format!("http://localhost:{port}"),
        IpAddr::V4(ip) => format!("http://{ip}:{port}"),
        IpAddr::V6(ip) => format!("http://[{ip}]:{port}"),
    };
    Url::parse(&text).expect("an address and a port make a URL")
}
