//! `retouch-sim`: the stand-ins as a program that anything can talk to.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use retouch_sim::{Options, Sim};
use tokio::signal::unix::{SignalKind, signal};

/// Stand-ins for the servers of vendors that make pictures and videos.
///
/// Each protocol has a prefix of its own, such as /openai/v1. Faults are chosen by POST
/// /_sim/faults or by words in a prompt such as `[sim:internal_error]`; what came in is at
/// /_sim/requests, and how often each prompt was submitted at /_sim/counts.
#[derive(Debug, Parser)]
#[command(name = "retouch-sim", version)]
struct Arguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// The key that every vendor knows. Without it any key that is not empty will do.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// How often a task is asked for before it is ready.
    #[arg(long, default_value_t = 2, value_name = "N")]
    poll_rounds: u32,
    /// The size of every picture, whatever was asked for.
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<(u32, u32)>,
    /// A picture that is every result, whatever was asked for (to measure speed).
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// How many requests are remembered; with 0 none is looked at.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    records_max: usize,
    /// Threads that answer.
    #[arg(long, default_value_t = 2, value_name = "N")]
    threads: usize,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed; the exit code says it too.
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
        // Listened for before the line is printed: whoever reads it may stop us at once.
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
