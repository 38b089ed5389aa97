//! How the stand-ins behave when nothing special is asked of them.

use std::net::{Ipv4Addr, SocketAddr};

use bytes::Bytes;

/// How the stand-ins behave.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The key that every vendor knows; with `None` any key that is not empty will do.
    pub key: Option<String>,
    /// How often a task is asked for before it is ready.
    pub poll_rounds: u32,
    /// Width and height in pixels of every picture, whatever was asked for.
    pub size: Option<(u32, u32)>,
    /// A file that is every resulting picture, whatever was asked for.
    pub picture: Option<Bytes>,
    /// How many requests are remembered; the oldest go first. With 0 none is looked at.
    pub records_max: usize,
    /// Threads that answer.
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
