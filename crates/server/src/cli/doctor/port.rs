//! Whether the listen address is available, or already used by this service.

use std::io;
use std::net::{SocketAddr, TcpListener};

use crate::cli::healthcheck::{self, LIVE};

/// Checks who uses `listen`.
pub(super) fn look(listen: SocketAddr) -> Result<String, String> {
    match TcpListener::bind(listen) {
        Ok(_) => Ok(format!("{listen} is available")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            match healthcheck::ask(listen, LIVE) {
                Ok(()) => Ok(format!("a server is running at {listen}")),
                Err(_) => Err(format!(
                    "another program uses {listen}; stop it or change RETOUCH_SERVER__LISTEN"
                )),
            }
        }
        Err(error) => Err(format!("cannot listen on {listen}: {error}")),
    }
}
