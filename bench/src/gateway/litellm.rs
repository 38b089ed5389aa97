//! LiteLLM's proxy: one worker, no database, no logging of bodies.

use std::fmt::Write;
use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{KEY, Simulator};
use crate::Fallible;
use crate::folder::Folder;
use crate::process::Process;

/// The longest time to start. On two cores, it usually takes about six seconds.
const START: Duration = Duration::from_secs(120);
/// The time between two checks of whether it has started.
const ASK_EVERY: Duration = Duration::from_millis(200);

/// The running proxy.
pub(super) struct LiteLlm {
    _process: Process,
    /// The address that it listens on.
    pub(super) address: SocketAddr,
}

impl LiteLlm {
    /// Starts `program` in front of `upstream`.
    pub(super) fn start(program: &Path, folder: &Folder, upstream: &Simulator) -> Fallible<Self> {
        let config = folder.case()?.join("litellm.yaml");
        std::fs::write(&config, configuration(&upstream.url)?)?;
        // It does not accept port 0, so a free port is found first.
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut command = Command::new(program);
        command
            .arg("--config")
            .arg(&config)
            .args(["--host", "127.0.0.1", "--port", &address.port().to_string()])
            .args(["--num_workers", "1", "--telemetry", "False"])
            .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            .env("LITELLM_LOG", "ERROR")
            .stderr(Stdio::null());
        let process = Process::start(command)?.unread();
        wait_for(address)?;
        Ok(Self { _process: process, address })
    }
}

fn configuration(url: &str) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "model_list:")?;
    writeln!(text, "  - model_name: gpt-image-2")?;
    writeln!(text, "    litellm_params:")?;
    writeln!(text, "      model: openai/gpt-image-2")?;
    writeln!(text, "      api_base: {url}")?;
    writeln!(text, "      api_key: {KEY}")?;
    writeln!(text, "general_settings:")?;
    writeln!(text, "  master_key: {KEY}")?;
    writeln!(text, "  dangerously_permit_weak_or_unset_master_key: true")?;
    writeln!(text, "litellm_settings:")?;
    writeln!(text, "  telemetry: false")?;
    Ok(text)
}

/// Waits until it reports that it is alive.
fn wait_for(address: SocketAddr) -> Fallible<()> {
    let until = Instant::now() + START;
    while Instant::now() < until {
        if is_alive(address).unwrap_or(false) {
            return Ok(());
        }
        std::thread::sleep(ASK_EVERY);
    }
    Err(format!("LiteLLM's proxy did not start within {} s", START.as_secs()).into())
}

fn is_alive(address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let request = "GET /health/liveliness HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer.starts_with("HTTP/1.1 200"))
}
