//! The host that URLs lead to during a siege: it sends large images, or nothing at all.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// The only private address that the service may fetch from.
const HOST: &str = "127.0.0.77:0";
/// The side of a bitmap of about 9.5 MB, in pixels. Its rows need no padding.
const SIDE: u32 = 1_780;

/// Starts the host, which lives as long as the test.
pub(crate) fn start() -> SocketAddr {
    let listener = TcpListener::bind(HOST).unwrap();
    let address = listener.local_addr().unwrap();
    let large = Arc::new(bitmap(SIDE));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let large = Arc::clone(&large);
            thread::spawn(move || {
                // Whether the service hangs up does not matter here.
                let _ = answer(stream?, &large);
                io::Result::Ok(())
            });
        }
    });
    address
}

fn answer(stream: TcpStream, large: &[u8]) -> io::Result<()> {
    let mut lines = BufReader::new(stream);
    let mut line = String::new();
    lines.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    while lines.read_line(&mut line)? > 2 {}
    let mut stream = lines.into_inner();
    if !path.starts_with("/large") {
        // Sends nothing until the other side gives up.
        return io::copy(&mut stream, &mut io::sink()).map(drop);
    }
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", large.len())?;
    stream.write_all(large)
}

/// A bitmap with 24 bits per pixel.
fn bitmap(side: u32) -> Vec<u8> {
    const HEAD: u32 = 54;
    let bytes = side * side * 3;
    let mut file = b"BM".to_vec();
    for field in [HEAD + bytes, 0, HEAD, 40, side, side, (24 << 16) | 1, 0, bytes, 0, 0, 0, 0] {
        file.extend(field.to_le_bytes());
    }
    file.extend((0..bytes).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[0]));
    file
}
