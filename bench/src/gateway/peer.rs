//! Another gateway with OpenAI's images API: what this program must know to start and call it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::simulator::Simulator;
use super::{call, litellm, portkey};
use crate::Fallible;
use crate::client::Load;
use crate::folder::Folder;
use crate::process::Process;

/// The longest time to start. On two cores, LiteLLM usually takes about six seconds.
const START: Duration = Duration::from_secs(120);
/// The time between two checks of whether it has started.
const ASK_EVERY: Duration = Duration::from_millis(200);

/// The gateways, in the order of their turns.
const GATEWAYS: [&Gateway; 2] = [&litellm::GATEWAY, &portkey::GATEWAY];

/// A gateway that this program can start.
pub(super) struct Gateway {
    /// Its name in the figures.
    pub(super) name: &'static str,
    /// Its folder in the one that `bench/gateways/install` created. The file `version` in it has
    /// its version.
    pub(super) folder: &'static str,
    /// The path that it answers with 200 once it is ready.
    pub(super) ready: &'static str,
    /// The command that starts it.
    pub(super) command: fn(&Place<'_>) -> Fallible<Command>,
    /// The headers that a call needs to reach the provider at this URL. Each ends its line.
    pub(super) headers: fn(&str) -> String,
}

/// Where a gateway runs.
pub(super) struct Place<'a> {
    /// The folder in which it is installed.
    pub(super) installed: PathBuf,
    /// An empty folder for its configuration.
    pub(super) folder: PathBuf,
    /// The address to listen on.
    pub(super) address: SocketAddr,
    /// The base URL of the provider.
    pub(super) upstream: &'a str,
}

/// A running gateway.
pub(super) struct Peer {
    /// Its name and version.
    pub(super) title: String,
    gateway: &'static Gateway,
    address: SocketAddr,
    process: Process,
}

/// Starts every gateway that is installed in the folder `installed`, in front of `upstream`.
pub(super) fn start(
    installed: &Path,
    folder: &Folder,
    upstream: &Simulator,
) -> Fallible<Vec<Peer>> {
    // They run in folders of their own, where a relative path would lead elsewhere.
    let shown = installed.display();
    let installed = installed.canonicalize().map_err(|error| format!("{shown}: {error}"))?;
    let mut peers = Vec::new();
    for gateway in GATEWAYS {
        let installed = installed.join(gateway.folder);
        if installed.join("version").exists() {
            peers.push(Peer::start(gateway, (installed, folder), &upstream.url)?);
        }
    }
    if peers.is_empty() {
        return Err(format!("no gateway in {shown}; run bench/gateways/install {shown}").into());
    }
    Ok(peers)
}

impl Peer {
    fn start(
        gateway: &'static Gateway,
        (installed, folder): (PathBuf, &Folder),
        upstream: &str,
    ) -> Fallible<Self> {
        let version = std::fs::read_to_string(installed.join("version"))?;
        let title = format!("{} {}", gateway.name, version.trim());
        // Some of them do not accept port 0, so a free port is found first.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let place = Place { installed, folder: folder.case()?, address, upstream };
        let mut command = (gateway.command)(&place)?;
        command.current_dir(&place.folder).stderr(Stdio::null());
        let process = Process::start(command).map_err(|error| format!("{title}: {error}"))?;
        let process = process.unread();
        wait_for(address, gateway.ready).map_err(|error| format!("{title} {error}"))?;
        Ok(Self { title, gateway, address, process })
    }

    /// An edit of `input` by the provider behind this gateway.
    pub(super) fn load(&self, input: &[u8], upstream: &Simulator) -> Load {
        let headers = (self.gateway.headers)(&upstream.url);
        call::edit(input, self.address, ("/v1", &headers))
    }

    /// The highest memory use of its processes so far, in MB of 10^6 bytes.
    pub(super) fn memory_peak_mb(&self) -> f64 {
        self.process.tree_memory_mb("VmHWM")
    }

    /// Whether Retouch has a target relative to this gateway.
    pub(super) fn is_target(&self) -> bool {
        self.gateway.name == litellm::GATEWAY.name
    }
}

/// Waits until it answers that it is ready.
fn wait_for(address: SocketAddr, path: &str) -> Result<(), String> {
    let until = Instant::now() + START;
    while Instant::now() < until {
        if is_ready(address, path).unwrap_or(false) {
            return Ok(());
        }
        std::thread::sleep(ASK_EVERY);
    }
    Err(format!("did not start within {} s", START.as_secs()))
}

fn is_ready(address: SocketAddr, path: &str) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.starts_with("HTTP/1.1 200"))
}
