//! The command-line arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Measures Retouch on this machine: prints a table and writes JSON.
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
    /// The file to write the figures to, as JSON.
    #[arg(long, global = true)]
    pub(crate) json: Option<PathBuf>,
    /// The folder for data while measuring. It decides which disk is measured.
    #[arg(long, global = true, default_value = "target/bench-data")]
    pub(crate) folder: PathBuf,
    /// The program `retouch`. By default, the one next to this program.
    #[arg(long, global = true)]
    pub(crate) binary: Option<PathBuf>,
    /// The folder that `bench/gateways/install` created, for `gateway`. Without it, there is no
    /// comparison.
    #[arg(long, global = true, value_name = "FOLDER")]
    pub(crate) gateways: Option<PathBuf>,
    /// The folder that `bench/peers/install` created, for `edits`. Without it, there is no
    /// comparison.
    #[arg(long, global = true)]
    pub(crate) peers: Option<PathBuf>,
    /// A PostgreSQL server and a user who may create schemas, for `nodes`, and for `path` and
    /// `soak` to keep rows there.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) postgres: Option<String>,
    /// An S3 server, with its bucket as the path (`retouch` by default), for `path` and `soak` to
    /// keep images there. `RETOUCH_STORE__S3_ACCESS_KEY_ID` and related settings are read from the
    /// environment.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) s3: Option<String>,
    /// Only cases whose name contains this text, for `path`, `gateway`, `ledger` and `nodes`.
    #[arg(long, global = true, value_name = "TEXT", default_value = "")]
    pub(crate) case: String,
    /// Only inputs of this many megapixels, for `edits`: 1 or 12.
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
    /// What the full path adds to a plain server that sends the same bytes.
    Compare,
    /// The whole path to a provider's simulator and back, compared with other gateways if their
    /// folder is given.
    Gateway,
    /// Edits from the bytes of an image to those of a PNG, compared with other libraries if their
    /// folder is given.
    Edits,
    /// Ledger commands.
    Ledger,
    /// Ledger commands by one and several nodes on a PostgreSQL server.
    Nodes,
    /// A long load: whether memory stays flat, nothing fails, and the ledger is correct at the end.
    Soak(SoakArguments),
    /// A database with many edits: start, first pages of lists, and proving the ledger.
    Large(LargeArguments),
    /// Time from the program's start to the first answer, and memory at rest.
    Start,
    /// What saturates first as edits per second grow, and the simulation that checks the model.
    Scale,
    /// Retouch's own edits, requested line by line.
    #[command(hide = true)]
    EditWorker,
    /// The measured service, in a process of its own.
    #[command(hide = true)]
    Service(ServiceArguments),
    /// The plain server for comparison.
    #[command(hide = true)]
    Upstream(UpstreamArguments),
}

/// How much load the service gets, and for how long.
#[derive(Args, Debug)]
pub(crate) struct SoakArguments {
    /// How long the load lasts, in minutes.
    #[arg(long, default_value_t = 30.0)]
    pub(crate) minutes: f64,
    /// The load as a share of the service's capacity.
    #[arg(long, default_value_t = 0.7)]
    pub(crate) share: f64,
    /// The capacity in calls per second. By default, what 16 callers reach in the time of a case.
    #[arg(long)]
    pub(crate) rate: Option<f64>,
}

/// How large the database is.
#[derive(Args, Debug)]
pub(crate) struct LargeArguments {
    /// The number of edits.
    #[arg(long, default_value_t = 1_000_000)]
    pub(crate) edits: usize,
    /// A folder for the database, which is kept. If an earlier run has filled it, this one only
    /// measures.
    #[arg(long)]
    pub(crate) kept: Option<PathBuf>,
}

/// The arguments of the measured service. Its environment says where it keeps data.
#[derive(Args, Debug)]
pub(crate) struct ServiceArguments {
    /// Its data folder.
    #[arg(long)]
    pub(crate) data: PathBuf,
    /// The image that every edit returns.
    #[arg(long, required_unless_present = "upstream")]
    pub(crate) result: Option<PathBuf>,
    /// The image for edits whose instruction asks for a large one.
    #[arg(long)]
    pub(crate) large: Option<PathBuf>,
    /// In place of these images: the base URL of a provider with OpenAI's API.
    #[arg(long)]
    pub(crate) upstream: Option<String>,
    /// The number of accounts to create, each with a key; 0 for a node that joins others with
    /// accounts.
    #[arg(long, default_value_t = 1)]
    pub(crate) accounts: usize,
}

/// The arguments of the plain server.
#[derive(Args, Debug)]
pub(crate) struct UpstreamArguments {
    /// The file that it sends.
    #[arg(long)]
    pub(crate) body: PathBuf,
}
