//! `retouch-sim`: the simulators as a program.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use retouch_sim::{Options, Sim};
use tokio::signal::unix::{SignalKind, signal};

/// Simulators of the servers of image and video providers.
///
/// Each protocol has its own prefix, such as /openai/v1. To choose faults, use POST /_sim/faults or
/// put text such as `[sim:internal_error]` into a prompt. /_sim/requests shows the requests
/// received, and /_sim/counts how many times each prompt was submitted.
#[derive(Debug, Parser)]
#[command(name = "retouch-sim", version)]
struct Arguments {
    /// The address to listen on. Port 0 picks a free port.
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// The key that every provider accepts. By default, any key that is not empty.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// How many times a task must be polled before it is done.
    #[arg(long, default_value_t = 2, value_name = "N")]
    poll_rounds: u32,
    /// The size of every image, whatever the request says.
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<(u32, u32)>,
    /// An image file to return as every result, for measuring speed.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// How many requests to remember. 0: none.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    records_max: usize,
    /// The number of threads.
    #[arg(long, default_value_t = 2, value_name = "N")]
    threads: usize,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed. The exit code reports the failure in any case.
            let _ = writeln!(io::stderr(), "retouch-sim: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> io::Result<()> {
    let sim = Sim::start(Options {
        listen: arguments.listen,
        key: arguments.key,
        poll_rounds: arguments.poll_rounds,
        size: arguments.size,
        picture: arguments.picture.map(std::fs::read).transpose()?.map(Into::into),
        records_max: arguments.records_max,
        threads: arguments.threads,
    })?;
    let waiting = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    waiting.block_on(async {
        // Listen for the signal before printing the address: the reader of that line may stop us
        // immediately.
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        writeln!(io::stdout(), "listening on {}", sim.origin())?;
        io::stdout().flush()?;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        Ok(())
    })
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    sides.filter(|(w, h)| *w > 0 && *h > 0).ok_or_else(|| "use WxH, such as 512x512".to_owned())
}
