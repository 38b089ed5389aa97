//! A server on a real socket that receives webhooks and answers as a test says.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A message that arrived.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Arrived {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no {name}: {:?}", self.headers))
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// The server. It accepts everything unless it is told otherwise.
#[derive(Clone)]
pub struct Receiver {
    pub address: SocketAddr,
    arrived: Arc<Mutex<Vec<Arrived>>>,
    answers: Arc<Mutex<VecDeque<&'static str>>>,
}

impl Receiver {
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let receiver = Self { address, arrived: Arc::default(), answers: Arc::default() };
        let office = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(office.clone().talk(stream));
            }
        });
        receiver
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Answers the next message with this status line and these headers. `None` never answers.
    pub fn answer(&self, head: Option<&'static str>) {
        self.answers.lock().unwrap().push_back(head.unwrap_or_default());
    }

    /// What has arrived since the last call.
    pub fn take(&self) -> Vec<Arrived> {
        std::mem::take(&mut self.arrived.lock().unwrap())
    }

    /// If reading or writing fails, the sender has gone.
    async fn talk(self, stream: TcpStream) -> std::io::Result<()> {
        let mut stream = BufReader::new(stream);
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await?);
        }
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.lines();
        let path = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
        let headers: BTreeMap<String, String> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let mut body = vec![0; headers["content-length"].parse().unwrap()];
        stream.read_exact(&mut body).await?;
        let body = String::from_utf8(body).unwrap();
        self.arrived.lock().unwrap().push(Arrived { path, headers, body });
        let answer = self.answers.lock().unwrap().pop_front();
        let head = answer.unwrap_or("204 No Content");
        if head.is_empty() {
            std::future::pending::<()>().await;
        }
        let text = format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\n\r\n");
        stream.write_all(text.as_bytes()).await
    }
}
