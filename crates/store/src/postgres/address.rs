//! Where the server is and how it is spoken to: what is in a `postgres://` address.

use std::fmt::{self, Debug, Display, Formatter};
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, Config, NoTls};
use url::Url;

use super::tls::Tls;
use crate::Error;

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
    config: Arc<Config>,
    tls: Option<Tls>,
}

/// Why an address cannot be used. It repeats nothing of the address but the names of options.
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
    /// # Errors
    /// [`BadAddress`].
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        let expected = "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE";
        let bad = |why: String| BadAddress(why);
        let mut url = Url::parse(text).map_err(|_| bad(expected.into()))?;
        if !matches!(url.scheme(), "postgres" | "postgresql") {
            return Err(bad(expected.into()));
        }
        let own: Vec<_> = url.query_pairs().into_owned().collect();
        let passed_on: Vec<&str> = url.query().unwrap_or_default().split('&').collect();
        let passed_on: Vec<&str> = passed_on
            .into_iter()
            .filter(|it| {
                !it.is_empty() && !it.starts_with("sslmode=") && !it.starts_with("sslrootcert=")
            })
            .collect();
        let passed_on = Some(passed_on.join("&")).filter(|it| !it.is_empty());
        url.set_query(passed_on.as_deref());
        let config: Config = url
            .as_str()
            .parse()
            .map_err(|error: tokio_postgres::Error| bad(format!("{expected}: {error}")))?;
        if config.get_hosts().is_empty() {
            return Err(bad(format!("{expected}: a host is missing")));
        }
        let option = |wanted: &str| own.iter().find(|(name, _)| name == wanted).map(|(_, it)| it);
        let tls = tls(option("sslmode").map(String::as_str), option("sslrootcert"))?;
        Ok(Self { config: Arc::new(with_limits(config, tls.is_some())), tls })
    }

    /// Connects; the second part has to be driven for as long as the first is used.
    pub(super) async fn connect(&self) -> Result<(Client, Driver), Error> {
        Ok(match &self.tls {
            None => {
                let (client, connection) = self.config.connect(NoTls).await?;
                (client, driven(connection))
            }
            Some(tls) => {
                let (client, connection) = self.config.connect(tls.clone()).await?;
                (client, driven(connection))
            }
        })
    }
}

/// Where the server is and which database: not who signs in, and with which password.
impl Display for Address {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("postgres://")?;
        for (number, host) in self.config.get_hosts().iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            match host {
                Host::Tcp(name) => write!(formatter, "{separator}{name}")?,
                #[cfg(unix)]
                Host::Unix(folder) => write!(formatter, "{separator}{}", folder.display())?,
            }
            let ports = self.config.get_ports();
            if let Some(port) = ports.get(number).or_else(|| ports.first()) {
                write!(formatter, ":{port}")?;
            }
        }
        write!(formatter, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

impl Debug for Address {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "Address({self})")
    }
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
