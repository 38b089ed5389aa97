//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Measures Retouch on this machine: prints a table, writes JSON.
#[derive(Debug, Parser)]
#[command(name = "retouch-bench")]
pub(crate) struct Arguments {
    /// What to measure.
    #[command(subcommand)]
    pub(crate) part: Part,
    /// How to measure.
    #[command(flatten)]
    pub(crate) plan: Plan,
}

/// How to measure.
#[derive(Args, Debug)]
pub(crate) struct Plan {
    /// How long each case runs, in seconds.
    #[arg(long, global = true, default_value_t = 5.0)]
    pub(crate) seconds: f64,
    /// Where to write the figures as JSON.
    #[arg(long, global = true)]
    pub(crate) json: Option<PathBuf>,
    /// Where data is kept while measuring: it decides which disk is measured.
    #[arg(long, global = true, default_value = "target/bench-data")]
    pub(crate) folder: PathBuf,
    /// The program `retouch`; left out: the one beside this program.
    #[arg(long, global = true)]
    pub(crate) binary: Option<PathBuf>,
    /// The program `litellm`, for `gateway`; left out: nothing is compared with.
    #[arg(long, global = true)]
    pub(crate) litellm: Option<PathBuf>,
    /// The folder that `bench/peers/install` made, for `edits`; left out: nothing is compared with.
    #[arg(long, global = true)]
    pub(crate) peers: Option<PathBuf>,
    /// A PostgreSQL server with a user who may make schemas, for `nodes`, and for `path` and `soak` to keep rows there.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) postgres: Option<String>,
    /// A server that speaks S3, its bucket as the path (`retouch` where there is none), for `path` and
    /// `soak` to keep images there; `RETOUCH_STORE__S3_ACCESS_KEY_ID` and the settings beside it are taken from the
    /// environment.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) s3: Option<String>,
    /// Only cases whose name has this in it, for `path`, `ledger` and `nodes`.
    #[arg(long, global = true, value_name = "TEXT", default_value = "")]
    pub(crate) case: String,
    /// Only inputs of so many million pixels, for `edits`: 1 or 12.
    #[arg(long, global = true)]
    pub(crate) megapixels: Option<u32>,
}

/// The parts of the measurement, and the roles that this program plays in them.
#[derive(Debug, Subcommand)]
pub(crate) enum Part {
    /// Every part.
    All,
    /// Edits over HTTP, from the request to the stored and charged result.
    Path,
    /// What the full path adds to a plain server that answers the same bytes.
    Compare,
    /// The whole path to a vendor's stand-in and back, beside LiteLLM's proxy where it is named.
    Gateway,
    /// Edits from the bytes of a picture to those of a PNG, beside other libraries where a folder
    /// with them is named.
    Edits,
    /// Credit commands.
    Ledger,
    /// Credit commands by one and several nodes on a PostgreSQL server.
    Nodes,
    /// A load that lasts: whether memory stays flat, nothing fails, and the books are right at the end.
    Soak(SoakArguments),
    /// From the program's start to the first answer, and its memory at rest.
    Start,
    /// What saturates first as edits a second grow, and the simulation that checks the model.
    Scale,
    /// Our own edits, asked for line by line.
    #[command(hide = true)]
    EditWorker,
    /// The service that is measured, in a process of its own.
    #[command(hide = true)]
    Service(ServiceArguments),
    /// The plain server that is compared with.
    #[command(hide = true)]
    Upstream(UpstreamArguments),
}

/// How much is asked of the service, and for how long.
#[derive(Args, Debug)]
pub(crate) struct SoakArguments {
    /// How long the load lasts, in minutes.
    #[arg(long, default_value_t = 30.0)]
    pub(crate) minutes: f64,
    /// The share of what the service can do that is asked of it.
    #[arg(long, default_value_t = 0.7)]
    pub(crate) share: f64,
    /// What it can do, in calls a second; left out: what 16 callers get in the time of a case.
    #[arg(long)]
    pub(crate) rate: Option<f64>,
}

/// What the measured service is told; where it keeps things stands in its environment.
#[derive(Args, Debug)]
pub(crate) struct ServiceArguments {
    /// Its data folder.
    #[arg(long)]
    pub(crate) data: PathBuf,
    /// The picture that every edit results in.
    #[arg(long, required_unless_present = "upstream")]
    pub(crate) result: Option<PathBuf>,
    /// The picture that those result in whose instruction asks for a large one.
    #[arg(long)]
    pub(crate) large: Option<PathBuf>,
    /// Instead of them: the base address of a vendor that speaks as OpenAI does.
    #[arg(long)]
    pub(crate) upstream: Option<String>,
    /// Accounts that are made for it, each with a key; none where it joins nodes that have them already.
    #[arg(long, default_value_t = 1)]
    pub(crate) accounts: usize,
}

/// What the plain server is told.
#[derive(Args, Debug)]
pub(crate) struct UpstreamArguments {
    /// What it answers.
    #[arg(long)]
    pub(crate) body: PathBuf,
}
