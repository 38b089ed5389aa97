//! Networks that do as a test says.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};

/// Asks for a file as a stranger: the status, the kind, the content.
pub(crate) async fn get(address: &str) -> (u16, String, Vec<u8>) {
    let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).await.unwrap();
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_ascii_lowercase();
    let kind = head.lines().find_map(|line| line.strip_prefix("content-type: "));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, kind.unwrap_or_default().to_owned(), answer[end + 4..].to_vec())
}

/// A way to the server at `target` that is cut after so many bytes to it, on the first `cuts`
/// connections; its address.
pub(crate) async fn cut(target: &str, bytes_max: u64, cuts: usize) -> String {
    let target = target.strip_prefix("http://").unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let is_cut = connections.fetch_add(1, Ordering::Relaxed) < cuts;
            let bytes_max = if is_cut { bytes_max } else { u64::MAX };
            tokio::spawn(forward(stream, target.clone(), bytes_max));
        }
    });
    address
}

async fn forward(mut near: TcpStream, target: String, bytes_max: u64) {
    let mut far = TcpStream::connect(target).await.unwrap();
    let (near_read, mut near_write) = near.split();
    let (mut far_read, mut far_write) = far.split();
    let mut limited = near_read.take(bytes_max);
    // Whichever way ends first ends both.
    tokio::select! {
        _ = copy(&mut limited, &mut far_write) => {}
        _ = copy(&mut far_read, &mut near_write) => {}
    }
}

/// A server that takes connections and says nothing; its address.
pub(crate) async fn silence() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut held = Vec::new();
        loop {
            held.push(listener.accept().await.unwrap());
        }
    });
    address
}
