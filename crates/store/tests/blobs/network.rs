//! Servers and proxies that misbehave in ways that a test controls.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy, split};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto};
use url::Url;

/// Fetches a file without credentials. Returns the status, the content type and the content.
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

/// Starts a proxy to the server at `target`. On each of the first `cuts` connections, it closes
/// the connection after `bytes_max` bytes to the server. Returns its address.
pub(crate) async fn cut(target: &Url, bytes_max: u64, cuts: usize) -> Url {
    let target = socket(target);
    let (listener, address) = listen().await;
    let connections = Arc::new(AtomicUsize::new(0));
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let is_cut = connections.fetch_add(1, Ordering::Relaxed) < cuts;
            let bytes_max = if is_cut { bytes_max } else { u64::MAX };
            tokio::spawn(forward(stream, target, bytes_max));
        }
    });
    at("http", address)
}

/// Starts a TLS proxy to the server at `target`, with the certificate in `folder`. Returns its
/// address.
pub(crate) async fn encrypted(target: &Url, folder: &Path) -> Url {
    let (target, acceptor) = (socket(target), acceptor(folder));
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let accepting = acceptor.accept(stream);
            tokio::spawn(async move {
                // A client that does not trust this server closes the connection.
                let Ok(stream) = accepting.await else { return };
                forward(stream, target, u64::MAX).await;
            });
        }
    });
    at("https", address)
}

fn acceptor(folder: &Path) -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_file(folder.join("certificate.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.join("key.pem")).unwrap();
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider);
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    TlsAcceptor::from(Arc::new(config.with_single_cert(vec![certificate], key).unwrap()))
}

async fn forward<S>(near: S, target: SocketAddr, bytes_max: u64)
where
    S: AsyncRead + AsyncWrite,
{
    let mut far = TcpStream::connect(target).await.unwrap();
    let (near_read, mut near_write) = split(near);
    let (mut far_read, mut far_write) = far.split();
    let mut limited = near_read.take(bytes_max);
    // The end of either direction ends both.
    tokio::select! {
        _ = copy(&mut limited, &mut far_write) => {}
        _ = copy(&mut far_read, &mut near_write) => {}
    }
}

/// Starts a server that accepts connections and never responds. Returns its address.
pub(crate) async fn silence() -> Url {
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        let mut held = Vec::new();
        loop {
            held.push(listener.accept().await.unwrap());
        }
    });
    at("http", address)
}

/// Starts a server that reads at most `piece_bytes` bytes every `pause`, answers that it stored
/// them, and stops reading a request after `bytes_max` bytes. Returns its address.
pub(crate) async fn slow(piece_bytes: usize, pause: Duration, bytes_max: usize) -> Url {
    /// Keeps the system from accepting everything immediately.
    const BUFFER_BYTES: u32 = 64 * 1024;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(BUFFER_BYTES).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(16).unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(take_slowly(stream, (piece_bytes, pause, bytes_max)));
        }
    });
    at("http", address)
}

async fn take_slowly(
    mut stream: TcpStream,
    (piece_bytes, pause, bytes_max): (usize, Duration, usize),
) {
    let mut ticks = tokio::time::interval(pause);
    let (mut request, mut piece) = (Vec::new(), vec![0; piece_bytes]);
    while request.len() < bytes_max {
        ticks.tick().await;
        // A client that gives up closes the connection.
        let Ok(taken @ 1..) = stream.read(&mut piece).await else { return };
        request.extend_from_slice(&piece[..taken]);
        if is_whole(&request) {
            let answer = b"HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(answer).await.unwrap();
            request.clear();
        }
    }
    std::future::pending::<()>().await;
}

fn is_whole(request: &[u8]) -> bool {
    let Some(end) = request.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8(request[..end].to_vec()).unwrap().to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    request.len() - end - 4 == length.unwrap().parse::<usize>().unwrap()
}

/// Starts a server that begins every response and never finishes it. Returns its address.
pub(crate) async fn stammering() -> Url {
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let head = "ETag: \"1\"\r\nLast-Modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n\
                            Content-Length: 9\r\n";
                let mut asked = [0; 4096];
                while let Ok(length @ 1..) = stream.read(&mut asked).await {
                    let answer = if asked[..length].starts_with(b"HEAD") {
                        format!("HTTP/1.1 200 OK\r\n{head}\r\n")
                    } else {
                        let part = "Content-Range: bytes 0-8/9\r\n";
                        format!("HTTP/1.1 206 Partial Content\r\n{part}{head}\r\na pi")
                    };
                    stream.write_all(answer.as_bytes()).await.unwrap();
                }
            });
        }
    });
    at("http", address)
}

/// Starts a server that has no files, and no bucket until a test says so. If asked for a file, it
/// only reports that the file is missing. Returns its address, and the switch for the bucket.
pub(crate) async fn forgetful() -> (Url, Arc<AtomicBool>) {
    let (listener, address) = listen().await;
    let has_bucket = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&has_bucket);
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let asked = Arc::clone(&asked);
            tokio::spawn(async move {
                let mut request = [0; 4096];
                while let Ok(length @ 1..) = stream.read(&mut request).await {
                    let is_list = request[..length].starts_with(b"GET /retouch?");
                    let has_bucket = asked.load(Ordering::SeqCst);
                    let (status, body) = match (is_list, has_bucket) {
                        (false, _) => ("404 Not Found", ""),
                        (true, false) => {
                            ("404 Not Found", "<Error><Code>NoSuchBucket</Code></Error>")
                        }
                        (true, true) => ("200 OK", "<ListBucketResult></ListBucketResult>"),
                    };
                    let length = body.len();
                    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n");
                    stream.write_all(format!("{answer}{body}").as_bytes()).await.unwrap();
                }
            });
        }
    });
    (at("http", address), has_bucket)
}

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

fn at(scheme: &str, address: SocketAddr) -> Url {
    format!("{scheme}://{address}").parse().unwrap()
}

fn socket(address: &Url) -> SocketAddr {
    address.socket_addrs(|| None).unwrap()[0]
}
