//! Connects to a target whose addresses have been checked.

use super::resolve::Resolve;
use super::target::{Target, TargetHost};
use super::{FetchError, FetchSettings, SetUpError};
use crate::address::{is_allowed, is_permitted};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

/// A stream that can carry HTTP.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// Opens streams. Each is used once.
pub(super) struct Connector {
    resolver: Arc<dyn Resolve>,
    encryption: TlsConnector,
}

impl Connector {
    pub(super) fn new(resolver: Arc<dyn Resolve>) -> Result<Self, SetUpError> {
        let encryption = TlsConnector::from(Arc::new(crate::tls::config()?));
        Ok(Self { resolver, encryption })
    }

    /// A stream to one of the target's addresses, all of which were checked. With `needs_tls`, it is
    /// encrypted unless the operator allows the target's network.
    pub(super) async fn connect(
        &self,
        target: &Target,
        settings: &FetchSettings,
        needs_tls: bool,
    ) -> Result<Box<dyn Stream>, FetchError> {
        let addresses = self.addresses(target).await?;
        let is_operators = check(&addresses, target.port, settings)?;
        if needs_tls && !target.is_encrypted && !is_operators {
            return Err(FetchError::NotEncrypted);
        }
        let within = Duration::from_millis(settings.connect_ms_max);
        for address in addresses.iter().take(ADDRESSES_TRIED_MAX) {
            let socket = SocketAddr::new(*address, target.port);
            let opened = tokio::time::timeout(within, self.open(socket, target)).await;
            if let Ok(Some(stream)) = opened {
                return Ok(stream);
            }
        }
        Err(FetchError::Unreachable)
    }

    async fn addresses(&self, target: &Target) -> Result<Vec<IpAddr>, FetchError> {
        match &target.host {
            TargetHost::Address(address) => Ok(vec![*address]),
            TargetHost::Name(name) => {
                let found = self.resolver.addresses(name).await;
                found.map_err(|_| FetchError::Unreachable)
            }
        }
    }

    async fn open(&self, socket: SocketAddr, target: &Target) -> Option<Box<dyn Stream>> {
        let plain = TcpStream::connect(socket).await.ok()?;
        if !target.is_encrypted {
            return Some(Box::new(plain));
        }
        let name = match &target.host {
            TargetHost::Address(address) => ServerName::from(*address),
            TargetHost::Name(name) => {
                ServerName::try_from(name.trim_end_matches('.').to_owned()).ok()?
            }
        };
        let encrypted = self.encryption.connect(name, plain).await.ok()?;
        Some(Box::new(encrypted))
    }
}

/// Refuses a name if any of its addresses is forbidden. A name that mixes allowed and forbidden
/// addresses is an attack. Returns whether the operator allows all of them by name.
fn check(addresses: &[IpAddr], port: u16, settings: &FetchSettings) -> Result<bool, FetchError> {
    let networks = &settings.allowed_networks;
    if !addresses.iter().all(|address| is_permitted(*address, networks)) {
        return Err(FetchError::NotPublic);
    }
    let is_web_port = WEB_PORTS.contains(&port);
    let is_operators = port != 0 && addresses.iter().all(|address| is_allowed(*address, networks));
    if is_web_port || is_operators { Ok(is_operators) } else { Err(FetchError::Port { port }) }
}

/// The ports of http and https. Other ports are only allowed in networks that the operator allows.
const WEB_PORTS: [u16; 2] = [80, 443];

/// How many addresses of a name are tried.
const ADDRESSES_TRIED_MAX: usize = 4;
