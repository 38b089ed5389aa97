//! The commands and their arguments.

mod editing;

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand};
use retouch_core::{Credits, Email, KeyId, Timestamp};
use retouch_store::Scopes;

pub(super) use editing::{EditArguments, McpArguments, ServerArguments};

use crate::auth::invitation::DAYS_MAX;
use crate::config::Secret;

/// Edit images by describing the change: an HTTP service paid in credits, and an offline editor.
#[derive(Debug, Parser)]
#[command(name = "retouch", version, max_term_width = 100, after_help = EXAMPLES)]
pub(super) struct Retouch {
    /// The settings file (default: retouch.toml in the working directory, if it exists).
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  retouch serve
  retouch edit photo.jpg \"make it grayscale, then rotate 90 degrees\" -o out.png
  retouch edit 'photos/*.jpg' \"resize to 1600 px wide\" --out-dir results
  retouch edit photo.jpg \"remove the car\" -o out.png --server https://edit.example.com
  retouch mcp --server https://edit.example.com --key-file key.txt
  retouch account create --email ada@example.com --password-stdin < password.txt
  retouch key create --account ada@example.com --name laptop
  retouch credits grant --account ada@example.com --credits 100 --reason \"thank you\"
  retouch plan assign --account ada@example.com --plan basic

Settings: put them in retouch.toml, or in variables such as RETOUCH_SERVER__LISTEN. `retouch config show`
lists all of them. Commands find your server's data only with your server's settings.
Exit status: 0 success, 1 failure, 2 usage error.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the service until it is stopped (Ctrl-C or SIGTERM). Creates the database if there is none.
    Serve,
    /// Edit images on this machine, without a server or an account, or with a server.
    Edit(EditArguments),
    /// Give an assistant on this machine the tools to edit images (Model Context Protocol over standard
    /// input and output).
    Mcp(McpArguments),
    /// Create, invite and list accounts, and reset passwords.
    Account {
        #[command(subcommand)]
        command: AccountCommand,
    },
    /// Manage administrators.
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Create and revoke API keys.
    Key {
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Grant and show credits, and verify the ledger.
    Credits {
        #[command(subcommand)]
        command: CreditsCommand,
    },
    /// Assign, cancel and show plans; the service grants their monthly credits automatically.
    Plan {
        #[command(subcommand)]
        command: PlanCommand,
    },
    /// Back up the embedded database and the stored images while the service runs, and restore them.
    Backup {
        #[command(subcommand)]
        command: BackupCommand,
    },
    /// Update the tables of an existing database to this version. `serve` does this when it starts.
    Migrate(MigrateArguments),
    /// Move to another database or image store while all servers are stopped.
    Move(MoveArguments),
    /// List the models with their limits, prices, providers and costs.
    Models(Output),
    /// Check or show the settings.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Check everything the service needs, including each provider. Costs nothing.
    Doctor(Output),
    /// Ask the server on this machine whether it is running. For containers and scripts.
    Healthcheck(HealthcheckArguments),
}

#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Create an account with the sign-up credits.
    Create(AccountArguments),
    /// Print a sign-up link for one person. With --email, it is also emailed if mail is configured.
    Invite(InviteArguments),
    /// Set a new password.
    SetPassword(AccountArguments),
    /// List all accounts, newest first.
    List(Output),
}

#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Print a one-time link to the running service that makes you its first administrator. Fails if
    /// there is one already.
    Link(Output),
    /// Make an account an administrator.
    Add(RoleArguments),
    /// Remove an account's administrator role; the last administrator cannot be removed.
    Remove(RoleArguments),
    /// List the administrators.
    List(Output),
    /// Remove the authenticator app and recovery codes of an account that has lost them.
    ResetSecondFactor(RoleArguments),
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Create an API key and print it. It cannot be shown again.
    Create(KeyArguments),
    /// Revoke an API key immediately.
    Revoke(RevokeArguments),
}

#[derive(Debug, Subcommand)]
pub(super) enum CreditsCommand {
    /// Grant credits to an account.
    Grant(GrantArguments),
    /// Show an account's balance by source.
    Show(ShowArguments),
    /// Replay the ledger and verify every balance. Fails if an account's balance is wrong.
    Verify(Output),
}

#[derive(Debug, Subcommand)]
pub(super) enum PlanCommand {
    /// Assign a plan. Upgrades start immediately, downgrades at the end of the month.
    Assign(AssignArguments),
    /// Cancel an account's plan at the end of its month. Credits are kept.
    Cancel(CancelArguments),
    /// Show an account's plan.
    Show(ShowArguments),
}

#[derive(Debug, Subcommand)]
pub(super) enum BackupCommand {
    /// Create a backup in a new or empty folder. The service keeps running.
    Create(BackupArguments),
    /// Restore a backup to the locations in the settings, which must be empty.
    Restore(BackupArguments),
}

#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 healthy, 1 not healthy. The address is server.listen.")]
pub(super) struct HealthcheckArguments {
    /// Also ask whether the database and the image store respond.
    #[arg(long)]
    pub(super) ready: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

/// The folder of a backup.
#[derive(Debug, Args)]
pub(super) struct BackupArguments {
    /// The backup folder.
    #[arg(value_name = "FOLDER")]
    pub(super) folder: PathBuf,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct MigrateArguments {
    /// Print the pending migrations without running them.
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("target").required(true).multiple(true).args(["to", "to_file", "to_blobs"]),
    after_help = "Stop all servers first. The target database must be empty; the source is not changed. \
        Afterwards, every row and file is compared and the ledger is verified on both sides. Servers refuse to \
        start on a database that was not moved completely.\n\n\
        A database URL on the command line shows its password in the process list. Put the URL in a file that \
        only you can read, and use --to-file.\n\n\
        Examples:\n  \
        retouch move --to-file /etc/retouch/database-url\n  \
        retouch move --to-file /etc/retouch/database-url --to-blobs s3://BUCKET/PREFIX\n  \
        retouch move --to-blobs file:///mnt/shared/retouch-images"
)]
pub(super) struct MoveArguments {
    /// The target database, written like the setting `store.database_url`.
    #[arg(long, value_name = "ADDRESS", value_parser = secret, conflicts_with = "to_file")]
    pub(super) to: Option<Secret>,
    /// A file that contains the target database URL.
    #[arg(long, value_name = "FILE")]
    pub(super) to_file: Option<PathBuf>,
    /// The target for stored images, written like the setting `store.blobs_url`. Without it, images
    /// are not moved.
    #[arg(long, value_name = "ADDRESS")]
    pub(super) to_blobs: Option<String>,
    /// The source database (default: the one in the settings).
    #[arg(long, value_name = "ADDRESS", value_parser = secret, conflicts_with = "from_file")]
    pub(super) from: Option<Secret>,
    /// A file that contains the source database URL.
    #[arg(long, value_name = "FILE")]
    pub(super) from_file: Option<PathBuf>,
    /// The source of stored images (default: the one in the settings).
    #[arg(long, value_name = "ADDRESS")]
    pub(super) from_blobs: Option<String>,
    /// Delete what an unfinished move left in the target, and start again.
    #[arg(long)]
    pub(super) start_over: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// List everything that is wrong with the settings.
    Check(Output),
    /// Show every setting and where it was set. Secrets are hidden.
    Show(Output),
}

/// The output format.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Output {
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct AccountArguments {
    /// The account's email address.
    #[arg(long)]
    pub(super) email: Email,
    /// Read the password from the first line of standard input, where other users cannot see it.
    #[arg(long, required = true)]
    pub(super) password_stdin: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct InviteArguments {
    /// The only address that can use the invitation (default: any address).
    #[arg(long)]
    pub(super) email: Option<Email>,
    /// The number of days the link works.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=i64::from(DAYS_MAX)))]
    pub(super) days: u8,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct KeyArguments {
    /// The email address of the account that pays for the key's calls.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// A name for the key.
    #[arg(long)]
    pub(super) name: String,
    /// When the key expires, such as 2030-01-31T00:00:00Z (default: never).
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(super) expires_at: Option<Timestamp>,
    /// The total number of credits the key may ever spend (default: no limit).
    #[arg(long, value_name = "N", value_parser = some_credits)]
    pub(super) credit_limit: Option<Credits>,
    /// The number of credits the key may spend in a day, in UTC (default: no limit).
    #[arg(long, value_name = "N", value_parser = some_credits)]
    pub(super) credit_limit_per_day: Option<Credits>,
    /// The number of credits the key may spend in a calendar month, in UTC (default: no limit).
    #[arg(long, value_name = "N", value_parser = some_credits)]
    pub(super) credit_limit_per_month: Option<Credits>,
    /// What the key may do, separated by commas: edit (create images and videos, and read what this
    /// key created), read (read everything in the account), delete (delete what the key may read).
    #[arg(long, value_name = "SCOPES", default_value = "edit")]
    pub(super) scopes: Scopes,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct RevokeArguments {
    /// The ID of the key (key_…), as shown in lists; not the secret.
    pub(super) id: KeyId,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct GrantArguments {
    /// The email address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// The number of credits, at least 1.
    #[arg(long, value_name = "N", value_parser = some_credits)]
    pub(super) credits: Credits,
    /// The reason, shown in the account's transactions.
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: String,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct RoleArguments {
    /// The email address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// The reason, shown to administrators in the audit log.
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: String,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct AssignArguments {
    /// The email address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// The ID of the plan, such as basic.
    #[arg(long, value_name = "PLAN")]
    pub(super) plan: String,
    /// The reason, shown to administrators in the audit log.
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: Option<String>,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct CancelArguments {
    /// The email address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// Cancel immediately instead of at the end of the month.
    #[arg(long)]
    pub(super) now: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// The email address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    #[command(flatten)]
    pub(super) output: Output,
}

impl Command {
    /// Whether to print JSON.
    pub(super) fn json(&self) -> bool {
        let output = match self {
            Self::Serve | Self::Mcp(_) => return false,
            Self::Edit(asked) => asked.output,
            Self::Account {
                command: AccountCommand::Create(asked) | AccountCommand::SetPassword(asked),
            } => asked.output,
            Self::Admin {
                command:
                    AdminCommand::Add(asked)
                    | AdminCommand::Remove(asked)
                    | AdminCommand::ResetSecondFactor(asked),
            } => asked.output,
            Self::Account { command: AccountCommand::Invite(asked) } => asked.output,
            Self::Key { command: KeyCommand::Create(asked) } => asked.output,
            Self::Key { command: KeyCommand::Revoke(asked) } => asked.output,
            Self::Credits { command: CreditsCommand::Grant(asked) } => asked.output,
            Self::Credits { command: CreditsCommand::Show(asked) }
            | Self::Plan { command: PlanCommand::Show(asked) } => asked.output,
            Self::Plan { command: PlanCommand::Assign(asked) } => asked.output,
            Self::Backup {
                command: BackupCommand::Create(asked) | BackupCommand::Restore(asked),
            } => asked.output,
            Self::Healthcheck(asked) => asked.output,
            Self::Migrate(asked) => asked.output,
            Self::Move(asked) => asked.output,
            Self::Plan { command: PlanCommand::Cancel(asked) } => asked.output,
            Self::Account { command: AccountCommand::List(output) }
            | Self::Admin { command: AdminCommand::Link(output) | AdminCommand::List(output) }
            | Self::Credits { command: CreditsCommand::Verify(output) }
            | Self::Config {
                command: ConfigCommand::Check(output) | ConfigCommand::Show(output),
            }
            | Self::Models(output)
            | Self::Doctor(output) => *output,
        };
        output.json
    }
}

/// Accepts anything, because clap repeats a rejected value in its error message.
fn secret(text: &str) -> Result<Secret, Infallible> {
    Ok(Secret::new(text))
}

fn moment(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text)
        .ok_or_else(|| "expected a time with its zone, such as 2030-01-31T00:00:00Z".to_owned())
}

fn some_credits(text: &str) -> Result<Credits, String> {
    let credits = text.parse().ok().and_then(Credits::new).filter(|credits| !credits.is_zero());
    credits.ok_or_else(|| format!("expected a whole number from 1 to {}", Credits::MAX.get()))
}
