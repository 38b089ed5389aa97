//! Runs the simulators.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use tokio::runtime;
use tokio_util::sync::CancellationToken;

use crate::options::Options;
use crate::protocols::{PROTOCOLS, Protocol};
use crate::world::{World, routes};
use crate::{control, wire};

/// Running simulators, in their own threads. Dropping this stops them.
#[derive(Debug)]
pub struct Sim {
    address: SocketAddr,
    ending: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

impl Sim {
    /// Starts the simulators. They respond as soon as this returns. It can be called inside or
    /// outside a runtime.
    ///
    /// # Errors
    /// When the address is not available, or threads cannot be started.
    pub fn start(options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind(options.listen)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(options.threads.max(1))
            .thread_name("sim")
            .enable_all()
            .build()?;
        let listener = {
            let _entered = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let ending = CancellationToken::new();
        let accepting = wire::accept(listener, router(options), ending.clone());
        let run = move || runtime.block_on(accepting);
        let thread = std::thread::Builder::new().name("sim".into()).spawn(run)?;
        Ok(Self { address, ending, thread: Some(thread) })
    }

    /// The address, such as `http://127.0.0.1:1234`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base URL of a protocol for clients, such as `http://127.0.0.1:1234/openai/v1`. For an
    /// unknown name, only the origin.
    pub fn url(&self, name: &str) -> String {
        let known = PROTOCOLS.iter().find(|protocol| protocol.name == name);
        let below = known.map(|protocol| format!("/{}{}", protocol.name, protocol.base));
        self.origin() + &below.unwrap_or_default()
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        self.ending.cancel();
        if let Some(thread) = self.thread.take() {
            // A panic in a handler only ends its connection. The thread itself does not panic.
            let _ = thread.join();
        }
    }
}

fn router(options: Options) -> Router {
    let world = Arc::new(World::new(options));
    let control = Router::new().nest("/_sim", control::router(Arc::clone(&world)));
    let nest = |router: Router, protocol: &Protocol| {
        router.nest(&format!("/{}", protocol.name), routes(protocol, &world))
    };
    PROTOCOLS.iter().fold(control, nest).layer(DefaultBodyLimit::disable())
}
