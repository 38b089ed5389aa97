//! A simulated distance to a server: every byte takes half a round trip longer in each direction.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crate::Fallible;

/// The most bytes that are passed on at a time.
const CHUNK_BYTES: usize = 64 * 1024;

/// Received data, and when to deliver it.
type Due = (Instant, Vec<u8>);

/// Accepts connections for the server at `server` and delays them by `round_trip`. Returns its own
/// address and runs until the program ends. It uses sleeping threads, because tokio's timers have a
/// resolution of a millisecond.
///
/// # Errors
/// If no port is free.
pub(crate) fn start(server: String, round_trip: Duration) -> Fallible<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            // If the server refuses, the client sees its connection end.
            let _ = TcpStream::connect(&server).and_then(|to| join(client, to, round_trip / 2));
        }
    });
    Ok(address)
}

fn join(client: TcpStream, server: TcpStream, late: Duration) -> std::io::Result<()> {
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    carry(client.try_clone()?, server.try_clone()?, late);
    carry(server, client, late);
    Ok(())
}

fn carry(from: TcpStream, to: TcpStream, late: Duration) {
    let (sender, receiver) = channel();
    std::thread::spawn(move || take(from, &sender, late));
    std::thread::spawn(move || give(to, &receiver));
}

fn take(mut from: TcpStream, due: &Sender<Due>, late: Duration) {
    let mut chunk = vec![0; CHUNK_BYTES];
    while let Ok(length) = from.read(&mut chunk) {
        let bytes = chunk.get(..length).unwrap_or_default().to_vec();
        if length == 0 || due.send((Instant::now() + late, bytes)).is_err() {
            break;
        }
    }
}

fn give(mut to: TcpStream, due: &Receiver<Due>) {
    for (at, bytes) in due {
        std::thread::sleep(at.saturating_duration_since(Instant::now()));
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    // The other side may be gone already.
    let _ = to.shutdown(Shutdown::Both);
}
