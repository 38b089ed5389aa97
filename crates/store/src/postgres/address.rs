//! Where the server is and how it is spoken to: what is in a `postgres://` address.

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

/// The form of an address.
const EXPECTED: &str = "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE";
/// How long finding the addresses of a host may take, and then being let in at each of them, in
/// milliseconds, where the address has no `connect_timeout`.
const CONNECT_MS_MAX: u64 = 5_000;
/// The port of a server whose address has none.
const PORT: u16 = 5_432;
/// How many addresses of one host are tried.
const ADDRESSES_MAX: usize = 8;
/// How long what was sent may stay without a sign that it has arrived, in milliseconds.
const UNHEARD_MS_MAX: u64 = 15_000;
/// How long the network is silent before it is asked whether the other side is there, in
/// milliseconds.
const SILENCE_MS: u64 = 10_000;

/// The address of a PostgreSQL server and database, with who signs in. Its password shows nowhere.
#[derive(Clone)]
pub struct Address {
    whole: Arc<Config>,
    /// Each host by itself, in their order.
    hosts: Arc<[Config]>,
    /// The host that let somebody in last: it is asked first.
    known_good: Arc<AtomicUsize>,
    tls: Option<Tls>,
}

/// Why an address cannot be used. It repeats nothing of the address.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct BadAddress(String);

/// A connection that has to be driven.
pub(super) type Driver = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Address {
    /// Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the options of PostgreSQL's own
    /// library behind a question mark. `sslmode` is `disable` (the default), or `require` or
    /// `verify-full`, which are the same here: the server's certificate is always checked, against
    /// the authorities in the PEM file `sslrootcert`, or those that Mozilla trusts.
    ///
    /// Several hosts, each with its port and a comma between them, are tried in their order, up to the
    /// one that can be written to, unless `target_session_attrs` says otherwise: what has been written is
    /// read at once, which a standby may not have yet.
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
            // What is wrong is not repeated: it may be a part of the password.
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
            // Where it is, if the options say so for each.
            if let Some(address) = whole.get_hostaddrs().get(number) {
                host.hostaddr(*address);
            }
            hosts.push(host);
        }
        Ok(Self { whole: Arc::new(whole), hosts: hosts.into(), known_good: Arc::default(), tls })
    }

    /// Whether what is said to the server can be read on the way there.
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

    /// Connects to the first host that can be written to; the second part has to be driven for as long as
    /// the first is used. A host that is silent, whether before it takes the connection or after, keeps
    /// nobody from the next one for long.
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

    /// Connects to a host at one of its addresses, each of which has its own time.
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

/// Where the server is and which database: not who signs in, and with which password.
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

/// `host` at each of the addresses that its name has.
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

/// What stands before the options, and the options; a password may have a question mark in it.
fn parts(text: &str) -> (&str, &str) {
    let behind_password = text.find('@').unwrap_or(0);
    let options = text.get(behind_password..).and_then(|rest| rest.find('?'));
    let split = options.and_then(|at| text.split_at_checked(behind_password + at));
    split.map_or((text, ""), |(place, options)| (place, options.trim_start_matches('?')))
}

/// `place` with each of its hosts by itself; hosts that only the options name stay together.
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

/// Options that are not passed on, and what is none.
fn is_own(option: &str) -> bool {
    let name = option.split('=').next().unwrap_or_default();
    ["", "sslmode", "sslrootcert"].contains(&name)
}

/// What goes wrong is answered to whoever asked.
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
