//! Where the service listens, and its limits on requests.

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use url::Url;

use super::connections::ConnectionSettings;
use super::duration::{HOUR_MS, MINUTE_MS};
use super::network::{network, web_origin};
use super::reader::Reader;
use super::size;
use crate::auth::sealing::SecretKey;
use crate::http::bodies::ANSWER_BYTES;

/// The setting with the secret key.
pub(super) const SECRET_KEY: &str = "server.secret_key";

/// The maximum length of a hostname (RFC 1035, section 2.3.4).
const NODE_NAME_BYTES_MAX: usize = 255;

const SHARE: &str = "server.bodies_memory_per_account_max";
/// By default, one account may use a quarter of the memory for bodies.
const BODIES_PARTS: usize = 4;

/// The section `[server]`.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Address and port to listen on; port 0 picks a free one.
    pub listen: SocketAddr,
    /// The public URL that the operator configured. For links, use [`ServerSettings::public_url`].
    pub public_url: Option<Url>,
    /// A name for this node, unique among the running nodes on the same database.
    pub node_name: Option<String>,
    /// Networks of reverse proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Limits on connections.
    pub connections: ConnectionSettings,
    /// Largest request body, in bytes.
    pub body_bytes_max: usize,
    /// Memory for all requests in progress, in bytes.
    pub bodies_bytes_max: usize,
    /// The share of that memory that one account may use, in bytes; for callers without an account,
    /// one client address.
    pub bodies_bytes_per_account_max: usize,
    /// Read requests per minute and account; 0 for no limit.
    pub reads_per_minute_per_account: u32,
    /// The same per client address, for requests without an account.
    pub reads_per_minute_per_address: u32,
    /// Time limit for receiving the headers of a request, in milliseconds.
    pub header_read_ms_max: u64,
    /// How long the sender of a request's body may send nothing, in milliseconds.
    pub body_idle_ms_max: u64,
    /// How often a stream of events gets a comment while there is nothing to send, in milliseconds.
    pub stream_comment_every_ms: u64,
    /// Encrypts the API keys that administrators enter in the browser, and the secrets of webhooks. If
    /// it is not set, that of the file next to an embedded database.
    pub secret_key: Option<SecretKey>,
    /// On shutdown, how long to accept requests while `/readyz` returns 503, in milliseconds.
    pub stop_announce_ms: u64,
    /// On shutdown, how long to then wait for running requests, in milliseconds.
    pub stop_wait_ms_max: u64,
}

impl ServerSettings {
    /// The URL for all links: the configured one, or one derived from `bound`, the actual listen
    /// address.
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
            body_bytes_max: reader.size("server.body_size_max", 1024..=1 << 30),
            bodies_bytes_max: reader.size("server.bodies_memory_max", 1 << 20..=1 << 40),
            bodies_bytes_per_account_max: reader.size(SHARE, 0..=1 << 40),
            reads_per_minute_per_account: reader
                .number("server.reads_per_minute_per_account", 0..=100_000_000),
            reads_per_minute_per_address: reader
                .number("server.reads_per_minute_per_address", 0..=100_000_000),
            header_read_ms_max: reader
                .duration("server.header_read_time_max", 100..=10 * MINUTE_MS),
            body_idle_ms_max: reader.duration("server.body_idle_max", 100..=HOUR_MS),
            stream_comment_every_ms: reader
                .duration("server.stream_comment_every", 10..=10 * MINUTE_MS),
            secret_key: secret_key(reader),
            stop_announce_ms: reader.duration("server.stop_announce", 0..=10 * MINUTE_MS),
            stop_wait_ms_max: reader.duration("server.stop_wait_max", 0..=HOUR_MS),
        };
        if server.body_bytes_max > server.bodies_bytes_max {
            let [one, all] = [server.body_bytes_max, server.bodies_bytes_max]
                .map(|bytes| size::show(bytes as u64));
            let message = format!("{one} is more than server.bodies_memory_max ({all})");
            reader.refuse_pair("server.body_size_max", "server.bodies_memory_max", message);
        }
        server.with_share(reader)
    }

    /// Adds each account's share of the memory for bodies.
    fn with_share(mut self, reader: &mut Reader<'_>) -> Self {
        let (one, share) = (self.body_bytes_max, self.bodies_bytes_per_account_max);
        let one = one.max(usize::try_from(ANSWER_BYTES).unwrap_or(usize::MAX));
        if share == 0 {
            self.bodies_bytes_per_account_max = one.max(self.bodies_bytes_max / BODIES_PARTS);
        } else if share < one {
            let [share, one] = [share, one].map(|bytes| size::show(bytes as u64));
            let message = format!(
                "{share} is less than one request may need ({one}); set at least that, or 0"
            );
            reader.refuse(SHARE, message);
        }
        self
    }
}

fn secret_key(reader: &mut Reader<'_>) -> Option<SecretKey> {
    let key = SecretKey::of(&reader.secret(SECRET_KEY)?);
    if key.is_none() {
        let expected =
            "expected 32 random bytes in base64; create them with `openssl rand -base64 32`";
        reader.refuse(SECRET_KEY, expected);
    }
    key
}

fn node_name(text: &str) -> Result<String, String> {
    let fits = |c: u8| c.is_ascii_alphanumeric() || b"-._".contains(&c);
    if text.len() <= NODE_NAME_BYTES_MAX && text.bytes().all(fits) {
        return Ok(text.to_owned());
    }
    Err(format!("expected at most {NODE_NAME_BYTES_MAX} letters, digits, '-', '.' and '_'"))
}

/// `http://` and `bound`, with `localhost` instead of a wildcard, which callers cannot use.
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
