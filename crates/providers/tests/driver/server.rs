//! A provider that treats each request in turn as the test says, over a real socket, so that a
//! connection can end anywhere.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What happens to one request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A complete response.
    Whole(u16, &'static [(&'static str, &'static str)], String),
    /// A file.
    File(Bytes),
    /// Closes the connection after the head of the request.
    CloseInRequest,
    /// Closes the connection after the request.
    CloseBeforeAnswer,
    /// Announces a longer response than it sends.
    CloseInAnswer,
    /// Sends the head of the response and nothing after it.
    StopInAnswer,
    /// Sends nothing.
    Hang,
}

/// A JSON response.
pub fn json(status: u16, value: &serde_json::Value) -> Reply {
    Reply::Whole(status, &[], value.to_string())
}

pub struct ScriptedProvider {
    pub address: SocketAddr,
    seen: Seen,
    left: Arc<Mutex<VecDeque<Reply>>>,
    task: JoinHandle<()>,
}

type Seen = Arc<watch::Sender<Vec<String>>>;

impl ScriptedProvider {
    /// A provider with these replies. When they are used up, it closes every connection.
    pub async fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Seen::new(watch::Sender::default());
        let left = Arc::new(Mutex::new(replies.into_iter().collect::<VecDeque<_>>()));
        let (log, queue) = (Arc::clone(&seen), Arc::clone(&left));
        #[expect(clippy::disallowed_methods, reason = "the task ends with the test")]
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            loop {
                let Ok((stream, _)) = listener.accept().await else { return };
                connections.spawn(serve(stream, Arc::clone(&log), Arc::clone(&queue)));
            }
        });
        Self { address, seen, left, task }
    }

    /// The first lines of the requests so far, such as `POST /submit`.
    pub fn seen(&self) -> Vec<String> {
        self.seen.borrow().iter().map(|head| first_line(head)).collect()
    }

    /// The heads of the requests so far.
    pub fn heads(&self) -> Vec<String> {
        self.seen.borrow().clone()
    }

    /// Waits until that many requests have arrived.
    pub async fn has_seen(&self, count: usize) {
        let mut seen = self.seen.subscribe();
        seen.wait_for(|seen| seen.len() >= count).await.unwrap();
    }

    /// Adds a reply after the others.
    pub fn then(&self, reply: Reply) {
        self.left.lock().unwrap().push_back(reply);
    }
}

impl Drop for ScriptedProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn first_line(head: &str) -> String {
    head.lines().next().unwrap_or_default().trim_end_matches(" HTTP/1.1").to_owned()
}

async fn serve(mut stream: TcpStream, log: Seen, replies: Arc<Mutex<VecDeque<Reply>>>) {
    let Some((head, rest)) = head(&mut stream).await else { return };
    log.send_modify(|seen| seen.push(head.clone()));
    let reply = replies.lock().unwrap().pop_front().unwrap_or(Reply::CloseBeforeAnswer);
    if matches!(reply, Reply::CloseInRequest) {
        return;
    }
    body(&mut stream, &head, rest).await;
    let text = match reply {
        Reply::CloseInRequest | Reply::CloseBeforeAnswer => return,
        Reply::Hang => return std::future::pending().await,
        Reply::CloseInAnswer => "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_owned(),
        Reply::StopInAnswer => {
            let start = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{";
            let _ = stream.write_all(start).await;
            return std::future::pending().await;
        }
        Reply::File(file) => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", file.len());
            let _ = stream.write_all(head.as_bytes()).await;
            let _ = stream.write_all(&file).await;
            return;
        }
        Reply::Whole(status, headers, body) => {
            let headers: String =
                headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let length = body.len();
            format!(
                "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
            )
        }
    };
    let _ = stream.write_all(text.as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// The head of a request, and how many bytes of its body came with it.
async fn head(stream: &mut TcpStream) -> Option<(String, usize)> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            return Some((head, bytes.len() - end - 4));
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

async fn body(stream: &mut TcpStream, head: &str, already: usize) {
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let mut left = length.unwrap_or(0).saturating_sub(already);
    let mut buffer = vec![0; 64 * 1024];
    while left > 0 {
        match stream.read(&mut buffer).await {
            Ok(read) if read > 0 => left = left.saturating_sub(read),
            _ => return,
        }
    }
}
