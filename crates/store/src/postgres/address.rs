//! Where the server is and how it is spoken to: what is in a `postgres://` address.

use std::collections::HashMap;
use std::fmt::{self, Debug, Display, Formatter};
use std::future::Future;
use std::net::IpAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::{Client, Config, NoTls};
use url::form_urlencoded;

use super::tls::Tls;
use crate::Error;

/// The form of an address.
const EXPECTED: &str = "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE";
/// How long connecting may take, in milliseconds.
const CONNECT_MS_MAX: u64 = 5_000;
/// How long what was sent may stay without a sign that it has arrived, in milliseconds.
const UNHEARD_MS_MAX: u64 = 15_000;
/// How long the network is silent before it is asked whether the other side is there, in
/// milliseconds.
const SILENCE_MS: u64 = 10_000;

/// The address of a PostgreSQL server and database, with who signs in. Its password shows nowhere.
#[derive(Clone)]
pub struct Address {
    reading: Arc<Config>,
    writing: Arc<Config>,
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
    /// Several hosts, each with its port and a comma between them, are tried in their order. What writes
    /// stays with the one that can be written to, unless `target_session_attrs` says otherwise.
    ///
    /// # Errors
    /// [`BadAddress`].
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let bad = |why: &str| BadAddress(format!("{EXPECTED}{why}"));
        if !["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err(bad(""));
        }
        let (place, options) = parts(text);
        let passed_on: Vec<&str> = options.split('&').filter(|it| !is_own(it)).collect();
        let separator = if passed_on.is_empty() { "" } else { "?" };
        // What is wrong is not repeated: it may be a part of the password.
        let config: Config = format!("{place}{separator}{}", passed_on.join("&"))
            .parse()
            .map_err(|_| bad(" and the options of PostgreSQL's own library"))?;
        if config.get_hosts().is_empty() {
            return Err(bad(": a host is missing"));
        }
        let own: HashMap<_, _> = form_urlencoded::parse(options.as_bytes()).into_owned().collect();
        let tls = tls(own.get("sslmode").map(String::as_str), own.get("sslrootcert"))?;
        let reading = with_limits(config, tls.is_some());
        let mut writing = reading.clone();
        if !own.contains_key("target_session_attrs") {
            writing.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        Ok(Self { reading: Arc::new(reading), writing: Arc::new(writing), tls })
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
        self.tls.is_none() && !self.reading.get_hosts().iter().all(is_here)
    }

    /// Connects, to write or only to read; the second part has to be driven for as long as the first is
    /// used.
    pub(super) async fn connect(&self, writes: bool) -> Result<(Client, Driver), Error> {
        let config = if writes { &self.writing } else { &self.reading };
        Ok(match &self.tls {
            None => {
                let (client, connection) = config.connect(NoTls).await?;
                (client, driven(connection))
            }
            Some(tls) => {
                let (client, connection) = config.connect(tls.clone()).await?;
                (client, driven(connection))
            }
        })
    }
}

/// Where the server is and which database: not who signs in, and with which password.
impl Display for Address {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("postgres://")?;
        for (number, host) in self.reading.get_hosts().iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            match host {
                Host::Tcp(name) => write!(formatter, "{separator}{name}")?,
                #[cfg(unix)]
                Host::Unix(folder) => write!(formatter, "{separator}{}", folder.display())?,
            }
            let ports = self.reading.get_ports();
            if let Some(port) = ports.get(number).or_else(|| ports.first()) {
                write!(formatter, ":{port}")?;
            }
        }
        write!(formatter, "/{}", self.reading.get_dbname().unwrap_or_default())
    }
}

impl Debug for Address {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "Address({self})")
    }
}

/// What stands before the options, and the options; a password may have a question mark in it.
fn parts(text: &str) -> (&str, &str) {
    let behind_password = text.find('@').unwrap_or(0);
    let options = text.get(behind_password..).and_then(|rest| rest.find('?'));
    let split = options.and_then(|at| text.split_at_checked(behind_password + at));
    split.map_or((text, ""), |(place, options)| (place, options.trim_start_matches('?')))
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
    config
        .ssl_mode(if has_tls { SslMode::Require } else { SslMode::Disable })
        .connect_timeout(Duration::from_millis(CONNECT_MS_MAX))
        .tcp_user_timeout(Duration::from_millis(UNHEARD_MS_MAX))
        .keepalives_idle(Duration::from_millis(SILENCE_MS));
    config
}
