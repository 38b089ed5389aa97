//! The address of a server and how to connect to it, as written in a `postgres://` URL.

use std::collections::HashMap;
use std::fmt::{self, Debug, Display, Formatter};
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use thiserror::Error;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config, NoTls};
use url::form_urlencoded;

use super::tls::Tls;
use crate::Error;

/// The expected form of an address, for error messages.
const EXPECTED: &str = "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE";
/// How long it may take to resolve a host, and then to connect to each of its addresses, in
/// milliseconds. Used if the URL has no `connect_timeout`.
const CONNECT_MS_MAX: u64 = 5_000;
/// The default port.
const PORT: u16 = 5_432;
/// The maximum number of addresses that are tried for one host.
const ADDRESSES_MAX: usize = 8;
/// How long sent data may stay unacknowledged, in milliseconds.
const UNHEARD_MS_MAX: u64 = 15_000;
/// How long a connection may be idle before a TCP keepalive is sent, in milliseconds.
const SILENCE_MS: u64 = 10_000;

/// The address of a PostgreSQL server and database, with the user and the password. The password
/// never appears in output.
#[derive(Clone)]
pub struct Address {
    whole: Arc<Config>,
    /// One configuration for each host, in the order of the URL.
    hosts: Arc<[Config]>,
    /// The host of the last successful connection, which is tried first.
    known_good: Arc<AtomicUsize>,
    tls: Option<Tls>,
}

/// Why an address is invalid. The message repeats nothing from the address.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct BadAddress(String);

/// The future that performs a connection's I/O and must be polled.
pub(super) type Driver = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Address {
    /// Parses `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, optionally followed by `?` and libpq
    /// options. `sslmode` is `disable` (the default), or `require` or `verify-full`, which are the
    /// same here: the server's certificate is always verified, against the authorities in the PEM
    /// file `sslrootcert` or those that Mozilla trusts.
    ///
    /// Several hosts, each with its port and separated by commas, are tried in order until one
    /// accepts writes, unless `target_session_attrs` says otherwise. This is necessary because
    /// data is read immediately after it was written, and a standby may not have it yet.
    ///
    /// # Errors
    /// [`BadAddress`].
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let bad = |why: &str| BadAddress(format!("{EXPECTED}{why}"));
        if !["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err(bad(""));
        }
        let (place, options) = parts(text);
        let own: HashMap<_, _> = form_urlencoded::parse(options.as_bytes()).into_owned().collect();
        let tls = tls(own.get("sslmode").map(String::as_str), own.get("sslrootcert"))?;
        let passed_on: Vec<&str> = options.split('&').filter(|it| !is_own(it)).collect();
        let read = |place: &str, passed_on: &[&str]| -> Result<Config, BadAddress> {
            let separator = if passed_on.is_empty() { "" } else { "?" };
            // The error doesn't repeat the text, because it may be part of the password.
            let config = format!("{place}{separator}{}", passed_on.join("&")).parse();
            let config = config.map_err(|_| bad(" and the options of PostgreSQL's own library"))?;
            let mut config = with_limits(config, tls.is_some());
            if !own.contains_key("target_session_attrs") {
                config.target_session_attrs(TargetSessionAttrs::ReadWrite);
            }
            Ok(config)
        };
        let whole = read(place, &passed_on)?;
        if whole.get_hosts().is_empty() {
            return Err(bad(": the host is missing"));
        }
        let without = |option: &&&str| !option.starts_with("hostaddr=");
        let passed_on: Vec<&str> = passed_on.iter().filter(without).copied().collect();
        let mut hosts = Vec::new();
        for (number, place) in each_host(place).iter().enumerate() {
            let mut host = read(place, &passed_on)?;
            // The `hostaddr` option may list an address for each host.
            if let Some(address) = whole.get_hostaddrs().get(number) {
                host.hostaddr(*address);
            }
            hosts.push(host);
        }
        Ok(Self { whole: Arc::new(whole), hosts: hosts.into(), known_good: Arc::default(), tls })
    }

    /// Whether the traffic to the server is unencrypted and leaves this machine.
    pub fn is_in_the_clear(&self) -> bool {
        let is_here = |host: &Host| match host {
            Host::Tcp(name) => {
                name == "localhost" || name.parse().is_ok_and(|it: IpAddr| it.is_loopback())
            }
            #[cfg(unix)]
            Host::Unix(_) => true,
        };
        self.tls.is_none() && !self.whole.get_hosts().iter().all(is_here)
    }

    /// Connects to the first host that accepts writes. The returned driver must be polled for as
    /// long as the client is used. Each host has a time limit, so one that doesn't respond can't
    /// delay the next one for long.
    pub(super) async fn connect(&self) -> Result<(Client, Driver), Error> {
        let mut refused = Error::Unreachable { message: "the address has no host".into() };
        let first = self.known_good.load(Ordering::Relaxed);
        let order = (0..self.hosts.len()).map(|turn| (first + turn) % self.hosts.len());
        for (number, host) in order.filter_map(|number| Some((number, self.hosts.get(number)?))) {
            match self.connect_to_any(host).await {
                Ok(connected) => {
                    self.known_good.store(number, Ordering::Relaxed);
                    return Ok(connected);
                }
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// Connects to a host at one of its addresses. Each address has its own time limit.
    async fn connect_to_any(&self, host: &Config) -> Result<(Client, Driver), Error> {
        let limit = host.get_connect_timeout().copied().unwrap_or_default();
        let late = || Error::Unreachable {
            message: format!("no connection within {} ms", limit.as_millis()),
        };
        let mut refused = late();
        let found = tokio::time::timeout(limit, at_each_address(host)).await;
        for host in found.map_err(|_| late())?? {
            match tokio::time::timeout(limit, self.connect_to(&host)).await {
                Ok(Ok(connected)) => return Ok(connected),
                Ok(Err(error)) => refused = error,
                Err(_) => refused = late(),
            }
        }
        Err(refused)
    }

    async fn connect_to(&self, host: &Config) -> Result<(Client, Driver), Error> {
        Ok(match &self.tls {
            None => {
                let (client, connection) = host.connect(NoTls).await?;
                (client, driven(connection))
            }
            Some(tls) => {
                let (client, connection) = host.connect(tls.clone()).await?;
                (client, driven(connection))
            }
        })
    }
}

/// Shows the server and the database, but not the user or the password.
impl Display for Address {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("postgres://")?;
        for (number, host) in self.whole.get_hosts().iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            match host {
                Host::Tcp(name) => write!(formatter, "{separator}{name}")?,
                #[cfg(unix)]
                Host::Unix(folder) => write!(formatter, "{separator}{}", folder.display())?,
            }
            let ports = self.whole.get_ports();
            if let Some(port) = ports.get(number).or_else(|| ports.first()) {
                write!(formatter, ":{port}")?;
            }
        }
        write!(formatter, "/{}", self.whole.get_dbname().unwrap_or_default())
    }
}

impl Debug for Address {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "Address({self})")
    }
}

/// The configuration of `host` for each IP address that its name resolves to.
async fn at_each_address(host: &Config) -> Result<Vec<Config>, Error> {
    let [Host::Tcp(name)] = host.get_hosts() else { return Ok(vec![host.clone()]) };
    if !host.get_hostaddrs().is_empty() {
        return Ok(vec![host.clone()]);
    }
    let port = host.get_ports().first().copied().unwrap_or(PORT);
    let found = tokio::net::lookup_host((name.as_str(), port)).await;
    let found = found.map_err(|error| Error::Unreachable { message: error.to_string() })?;
    let at = |address: SocketAddr| {
        let mut host = host.clone();
        host.hostaddr(address.ip());
        host
    };
    Ok(found.take(ADDRESSES_MAX).map(at).collect())
}

/// Splits an address into the part before the options, and the options. A password may contain a
/// question mark.
fn parts(text: &str) -> (&str, &str) {
    let behind_password = text.find('@').unwrap_or(0);
    let options = text.get(behind_password..).and_then(|rest| rest.find('?'));
    let split = options.and_then(|at| text.split_at_checked(behind_password + at));
    split.map_or((text, ""), |(place, options)| (place, options.trim_start_matches('?')))
}

/// `place` once for each of its hosts. Hosts that are only named in the options stay together.
fn each_host(place: &str) -> Vec<String> {
    let begin =
        place.find('@').or_else(|| place.find("//").map(|at| at + 1)).map_or(0, |at| at + 1);
    let end =
        place.get(begin..).and_then(|rest| rest.find('/')).map_or(place.len(), |at| begin + at);
    let (before, behind) = (place.get(..begin), place.get(end..));
    let hosts = place.get(begin..end).unwrap_or_default().split(',');
    let one = |host| format!("{}{host}{}", before.unwrap_or_default(), behind.unwrap_or_default());
    hosts.map(one).collect()
}

/// Options that this program handles itself and does not pass on, and empty options.
fn is_own(option: &str) -> bool {
    let name = option.split('=').next().unwrap_or_default();
    ["", "sslmode", "sslrootcert"].contains(&name)
}

/// The error of a connection is dropped here, because the client reports it to its callers.
fn driven<E>(connection: impl Future<Output = Result<(), E>> + Send + 'static) -> Driver {
    Box::pin(async move { drop(connection.await) })
}

fn tls(mode: Option<&str>, authorities: Option<&String>) -> Result<Option<Tls>, BadAddress> {
    match mode {
        None | Some("disable") => Ok(None),
        Some("require" | "verify-ca" | "verify-full") => {
            let authorities = authorities.map(Path::new);
            Tls::new(authorities).map(Some).map_err(|why| BadAddress(format!("sslrootcert: {why}")))
        }
        Some(_) => Err(BadAddress("sslmode: expected disable, require or verify-full".into())),
    }
}

fn with_limits(mut config: Config, has_tls: bool) -> Config {
    if config.get_application_name().is_none() {
        config.application_name("retouch");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_millis(CONNECT_MS_MAX));
    }
    config
        .ssl_mode(if has_tls { SslMode::Require } else { SslMode::Disable })
        .tcp_user_timeout(Duration::from_millis(UNHEARD_MS_MAX))
        .keepalives_idle(Duration::from_millis(SILENCE_MS));
    config
}
