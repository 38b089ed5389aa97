//! The options of the simulators.

use std::net::{Ipv4Addr, SocketAddr};

use bytes::Bytes;

/// The options of the simulators.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on. Port 0 picks a free port.
    pub listen: SocketAddr,
    /// The key that every provider accepts. `None`: any key that is not empty.
    pub key: Option<String>,
    /// How many times a task must be polled before it is done.
    pub poll_rounds: u32,
    /// Width and height in pixels of every image, whatever the request says.
    pub size: Option<(u32, u32)>,
    /// A file to return as every image, whatever the request says.
    pub picture: Option<Bytes>,
    /// How many requests to remember. The oldest ones are removed. 0: none.
    pub records_max: usize,
    /// The number of threads.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            key: None,
            poll_rounds: 2,
            size: None,
            picture: None,
            records_max: 1000,
            threads: 1,
        }
    }
}
