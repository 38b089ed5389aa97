//! A proxy to the server that can delay a commit and cut its connections.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
use tokio::net::tcp::OwnedReadHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

/// A proxy to the server.
#[derive(Clone)]
pub(crate) struct Way {
    /// The address of the proxy itself.
    pub(crate) host: String,
    server: String,
    is_open: watch::Sender<bool>,
    tried: Arc<AtomicUsize>,
    holds: Arc<AtomicBool>,
    held: Arc<Notify>,
    cut: Arc<Notify>,
    delivered: Arc<Notify>,
}

impl Way {
    /// A proxy to `server`, given as host and port.
    pub(crate) async fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let way = Self {
            host: listener.local_addr().unwrap().to_string(),
            server: server.to_owned(),
            is_open: watch::Sender::new(true),
            tried: Arc::default(),
            holds: Arc::default(),
            held: Arc::default(),
            cut: Arc::default(),
            delivered: Arc::default(),
        };
        let all = way.clone();
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                all.tried.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(all.clone().carry(client));
            }
        });
        way
    }

    /// How many connections were attempted.
    pub(crate) fn tried(&self) -> usize {
        self.tried.load(Ordering::SeqCst)
    }

    /// Delays the next commit.
    pub(crate) fn hold_commit(&self) {
        self.holds.store(true, Ordering::SeqCst);
    }

    /// Completes when a commit is delayed and the server has received everything before it.
    pub(crate) async fn held(&self) {
        self.held.notified().await;
    }

    /// Closes the client's connection whose commit is delayed.
    pub(crate) fn cut(&self) {
        self.cut.notify_one();
    }

    /// Delivers the delayed commit to the server.
    pub(crate) fn deliver(&self) {
        self.delivered.notify_one();
    }

    /// Closes all connections, including new ones.
    pub(crate) fn lose(&self) {
        self.is_open.send_replace(false);
    }

    async fn carry(self, client: TcpStream) {
        let mut is_open = self.is_open.subscribe();
        let lost = async { is_open.wait_for(|is_open| !is_open).await.map(drop) };
        tokio::select! {
            biased;
            _ = lost => {}
            () = self.clone().carry_on(client) => {}
        }
    }

    async fn carry_on(self, client: TcpStream) {
        let Ok(server) = TcpStream::connect(&self.server).await else { return };
        let (mut from_client, mut to_client) = client.into_split();
        let (mut from_server, mut to_server) = server.into_split();
        let mut messages = Messages { from: &mut from_client, commits: HashSet::new() };
        let up = async {
            let mut message = messages.first().await?;
            loop {
                to_server.write_all(&message).await.ok()?;
                message = messages.next().await?;
                if messages.is_commit(&message) && self.holds.swap(false, Ordering::SeqCst) {
                    // The two messages that execute it.
                    message.extend(messages.next().await?);
                    message.extend(messages.next().await?);
                    return Some(message);
                }
            }
        };
        let held = tokio::select! {
            _ = copy(&mut from_server, &mut to_client) => None,
            held = up => held,
        };
        let Some(commit) = held else { return };
        self.held.notify_one();
        self.cut.notified().await;
        drop((from_client, to_client));
        self.delivered.notified().await;
        to_server.write_all(&commit).await.unwrap();
        let _ = copy(&mut from_server, &mut sink()).await;
    }
}

/// The messages that a client sends.
struct Messages<'a> {
    from: &'a mut OwnedReadHalf,
    /// The names of prepared statements that commit.
    commits: HashSet<Vec<u8>>,
}

impl Messages<'_> {
    /// The startup message, which has no type byte.
    async fn first(&mut self) -> Option<Vec<u8>> {
        self.read(Vec::new()).await
    }

    async fn next(&mut self) -> Option<Vec<u8>> {
        let kind = self.from.read_u8().await.ok()?;
        let message = self.read(vec![kind]).await?;
        // Parse: the name of the statement, then its text.
        if kind == b'P' {
            let mut texts = message[5..].split(|byte| *byte == 0);
            let (name, text) = (texts.next()?, texts.next()?);
            if text == b"COMMIT" {
                self.commits.insert(name.to_owned());
            }
        }
        Some(message)
    }

    /// Bind: the name of the portal, then the name of the statement.
    fn is_commit(&self, message: &[u8]) -> bool {
        let name = message[5..].split(|byte| *byte == 0).nth(1);
        message[0] == b'B' && name.is_some_and(|name| self.commits.contains(name))
    }

    async fn read(&mut self, mut message: Vec<u8>) -> Option<Vec<u8>> {
        let length = self.from.read_u32().await.ok()?;
        message.extend(length.to_be_bytes());
        let begun = message.len();
        message.resize(begun + length as usize - 4, 0);
        self.from.read_exact(&mut message[begun..]).await.ok()?;
        Some(message)
    }
}
