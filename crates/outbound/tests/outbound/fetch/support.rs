//! Servers that send exactly what a test says, and resolvers that follow a script.

use async_trait::async_trait;
use bytes::Bytes;
use retouch_outbound::fetch::{FetchError, FetchSettings, Fetcher, Resolve};
use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use url::Url;

/// A server on loopback. It ends when it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) requests: Arc<Mutex<Vec<String>>>,
    _tasks: JoinSet<()>,
}

/// What a server does with a connection after it has read the request.
#[derive(Clone)]
pub(crate) enum Say {
    /// Writes this and closes.
    Once(Vec<u8>),
    /// Writes the first text, and then the second one forever.
    Endlessly(Vec<u8>, Vec<u8>),
    /// Writes this and then nothing, keeping the connection open.
    ThenNothing(Vec<u8>),
}

impl Server {
    pub(crate) async fn saying(say: Say) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener is bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&requests);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                open.spawn(answer(stream, say.clone(), Arc::clone(&heard)));
            }
        });
        Self { address, requests, _tasks: tasks }
    }

    pub(crate) async fn answering(text: &str) -> Self {
        Self::saying(Say::Once(text.as_bytes().to_vec())).await
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        url(&format!("http://{}{path}", self.address))
    }

    pub(crate) fn heard(&self) -> Vec<String> {
        self.requests.lock().expect("no thread panicked").clone()
    }
}

/// If the write fails, the client has gone, which is what some tests are about.
async fn answer(mut stream: TcpStream, say: Say, heard: Arc<Mutex<Vec<String>>>) {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => request.push(byte),
            Err(_) => return,
        }
    }
    let text = String::from_utf8_lossy(&request).into_owned();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a number"))];
    // Closing with unread bytes would reset the connection.
    if stream.read_exact(&mut body).await.is_err() {
        return;
    }
    heard.lock().expect("no thread panicked").push(text);
    match say {
        Say::Once(text) => {
            let _sent = stream.write_all(&text).await;
        }
        Say::Endlessly(first, more) => {
            let mut sent = stream.write_all(&first).await;
            while sent.is_ok() {
                sent = stream.write_all(&more).await;
            }
        }
        Say::ThenNothing(text) => {
            let _sent = stream.write_all(&text).await;
            std::future::pending::<()>().await;
        }
    }
}

pub(crate) fn url(text: &str) -> Url {
    Url::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Settings that allow only public addresses.
pub(crate) fn public() -> FetchSettings {
    FetchSettings {
        allowed_networks: Vec::new(),
        bytes_max: 20 * 1024 * 1024,
        connect_ms_max: 4_000,
        total_ms_max: 10_000,
        redirects_max: 3,
    }
}

/// Settings that also allow loopback.
pub(crate) fn loopback() -> FetchSettings {
    let allowed_networks = vec!["127.0.0.0/8".parse().expect("a network")];
    FetchSettings { allowed_networks, ..public() }
}

pub(crate) fn fetcher(settings: FetchSettings) -> Fetcher {
    Fetcher::new(settings).expect("TLS can be set up")
}

/// Fetches with loopback allowed.
pub(crate) async fn fetch(url: &Url) -> Result<Bytes, FetchError> {
    fetcher(loopback()).fetch(url, &()).await
}

/// Answers each lookup with the next line of its script. Unused lines are fine.
pub(crate) struct Script(Mutex<VecDeque<Vec<IpAddr>>>);

impl Script {
    pub(crate) fn of(lines: &[&[&str]]) -> Arc<Self> {
        let address = |text: &&str| text.parse().expect("an IP address");
        let lines = lines.iter().map(|line| line.iter().map(address).collect());
        Arc::new(Self(Mutex::new(lines.collect())))
    }
}

#[async_trait]
impl Resolve for Script {
    async fn addresses(&self, _name: &str) -> io::Result<Vec<IpAddr>> {
        let next = self.0.lock().expect("no thread panicked").pop_front();
        next.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}
