//! A proxy between one server and the database, which can cut connections or stop forwarding.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// The proxy. Clones share its state.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    is_silent: Mutex<bool>,
    changed: Condvar,
    /// Both ends of every connection made since the last cut.
    open: Mutex<Vec<TcpStream>>,
}

impl Way {
    /// A proxy to `server`, given as host and port.
    pub(super) fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let way = Self { address: listener.local_addr().unwrap(), state: Arc::default() };
        let state = Arc::clone(&way.state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // If the server is down, the client sees its connection end.
                drop(TcpStream::connect(&server).and_then(|server| state.join(client, server)));
            }
        });
        way
    }

    /// Ends all connections.
    pub(super) fn cut(&self) {
        for end in self.state.open.lock().unwrap().drain(..) {
            // The connection may have ended already.
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// Holds back everything in both directions, or lets it pass again.
    pub(super) fn be_silent(&self, is_silent: bool) {
        *self.state.is_silent.lock().unwrap() = is_silent;
        self.state.changed.notify_all();
    }
}

impl State {
    fn join(self: &Arc<Self>, client: TcpStream, server: TcpStream) -> io::Result<()> {
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        self.open.lock().unwrap().extend([client.try_clone()?, server.try_clone()?]);
        let (up, down) = (Arc::clone(self), Arc::clone(self));
        let (from_client, to_server) = (client.try_clone()?, server.try_clone()?);
        thread::spawn(move || up.carry(from_client, to_server));
        thread::spawn(move || down.carry(server, client));
        Ok(())
    }

    fn carry(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut bytes = [0; 16 * 1024];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            let silent = self.is_silent.lock().unwrap();
            drop(self.changed.wait_while(silent, |is_silent| *is_silent).unwrap());
            if to.write_all(&bytes[..length]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    }
}
