//! What may be asked on the command line.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand};
use retouch_core::image::{AspectRatio, Size};
use retouch_core::{Credits, Email, KeyId, Timestamp};
use retouch_store::Scopes;

use crate::auth::invitation::DAYS_MAX;
use crate::config::Secret;

/// Edit pictures with words: a service over HTTP, paid in credits, and an editor that works
/// offline.
#[derive(Debug, Parser)]
#[command(name = "retouch", version, max_term_width = 100, after_help = EXAMPLES)]
pub(super) struct Retouch {
    /// The file of settings; without it, retouch.toml in this folder, if it is there.
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  retouch serve
  retouch edit photo.jpg \"make it grayscale, then rotate 90 degrees\" -o out.png
  retouch account create --email ada@example.com --password-stdin < password.txt
  retouch key create --account ada@example.com --name laptop
  retouch credits grant --account ada@example.com --credits 100 --reason \"thank you\"
  retouch plan assign --account ada@example.com --plan basic

Settings: see config.default.toml, or `retouch config show`.
Exit status: 0 done, 1 failed, 2 wrong usage.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the service until it is stopped (Ctrl-C or SIGTERM).
    Serve,
    /// Edit pictures on this machine, without a server and without an account.
    Edit(EditArguments),
    /// Make and list accounts.
    Account {
        #[command(subcommand)]
        command: AccountCommand,
    },
    /// Say who administers.
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Make and revoke API keys.
    Key {
        #[command(subcommand)]
        command: KeyCommand,
    },
    /// Grant and show credits, and prove the books.
    Credits {
        #[command(subcommand)]
        command: CreditsCommand,
    },
    /// Give plans, show and end them; the service grants their months by itself.
    Plan {
        #[command(subcommand)]
        command: PlanCommand,
    },
    /// Copy the embedded database and the stored images while the service runs, and put them back.
    Backup {
        #[command(subcommand)]
        command: BackupCommand,
    },
    /// Bring the schema of the database up to date; `serve` does so by itself, other commands do not.
    Migrate(MigrateArguments),
    /// Move to another database, and to another place of stored images, while nobody serves.
    Move(MoveArguments),
    /// List the models, their limits and prices, who performs them and what that costs.
    Models(Output),
    /// Check and show the settings.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Find out what keeps the service from running well; asks each provider without spending.
    Doctor(Output),
}

#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Make an account, with the sign-up credits.
    Create(AccountArguments),
    /// Print a link with which one person can sign up, and email it where mail is set up.
    Invite(InviteArguments),
    /// Put another password in place of the old one.
    SetPassword(AccountArguments),
    /// List all accounts, newest first.
    List(Output),
}

#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Print a one-time link that makes whoever opens it administrator; only while there is none.
    Link(Output),
    /// Make an account administrator.
    Add(RoleArguments),
    /// Make an administrator a member again; the last one stays.
    Remove(RoleArguments),
    /// List who administers.
    List(Output),
    /// Remove the authenticator app and the recovery codes of an account that has lost them.
    ResetSecondFactor(RoleArguments),
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Make an API key; it is shown this once.
    Create(KeyArguments),
    /// Revoke an API key, with effect at once.
    Revoke(RevokeArguments),
}

#[derive(Debug, Subcommand)]
pub(super) enum CreditsCommand {
    /// Give credits to an account.
    Grant(GrantArguments),
    /// Show an account's balance and where it comes from.
    Show(ShowArguments),
    /// Replay every entry and prove every balance; fails and names the accounts that disagree.
    Verify(Output),
}

#[derive(Debug, Subcommand)]
pub(super) enum PlanCommand {
    /// Give an account a plan: a better one at once, a lesser one when the month is over.
    Assign(AssignArguments),
    /// End the plan of an account when its month is over; credits stay.
    Cancel(CancelArguments),
    /// Show the plan of an account.
    Show(ShowArguments),
}

#[derive(Debug, Subcommand)]
pub(super) enum BackupCommand {
    /// Make a backup in a new folder; the service goes on.
    Create(BackupArguments),
    /// Put a backup back where the settings say that the data are; nothing may be there.
    Restore(BackupArguments),
}

/// A folder with a backup.
#[derive(Debug, Args)]
pub(super) struct BackupArguments {
    /// The folder of the backup.
    #[arg(value_name = "FOLDER")]
    pub(super) folder: PathBuf,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct MigrateArguments {
    /// Say which steps are missing, and take none.
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("target").required(true).multiple(true).args(["to", "to_file", "to_blobs"]),
    after_help = "All servers have to be stopped. The database that is moved to has to be empty; nothing is \
        taken away from the other one. Every row and every file is compared afterwards, and the books of both \
        sides are replayed. No server starts on what was not finished.\n\n\
        An address on the command line shows in the list of processes, its password too: write it to a file \
        that only you can read, and name that with --to-file.\n\n\
        Examples:\n  \
        retouch move --to-file /etc/retouch/database-url\n  \
        retouch move --to-file /etc/retouch/database-url --to-blobs s3://BUCKET/PREFIX\n  \
        retouch move --to-blobs file:///mnt/shared/retouch-pictures"
)]
pub(super) struct MoveArguments {
    /// The database that is moved to, as the setting `store.database_url` would name it.
    #[arg(long, value_name = "ADDRESS", value_parser = secret, conflicts_with = "to_file")]
    pub(super) to: Option<Secret>,
    /// A file with that address.
    #[arg(long, value_name = "FILE")]
    pub(super) to_file: Option<PathBuf>,
    /// Where the stored images are moved to, as the setting `store.blobs_url` would name it; without it
    /// they stay where they are.
    #[arg(long, value_name = "ADDRESS")]
    pub(super) to_blobs: Option<String>,
    /// The database that is moved; without it, the one of the settings.
    #[arg(long, value_name = "ADDRESS", value_parser = secret, conflicts_with = "from_file")]
    pub(super) from: Option<Secret>,
    /// A file with that address.
    #[arg(long, value_name = "FILE")]
    pub(super) from_file: Option<PathBuf>,
    /// Where its images are; without it, where the settings say.
    #[arg(long, value_name = "ADDRESS")]
    pub(super) from_blobs: Option<String>,
    /// Empty what an earlier move has left that was not finished, and begin anew.
    #[arg(long)]
    pub(super) anew: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Say everything that is wrong with the settings.
    Check(Output),
    /// Show every setting and where it was set; secrets stay hidden.
    Show(Output),
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Output {
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "retouch edit [OPTIONS] <PICTURE>... <INSTRUCTION> -o <OUT.png>",
    after_help = "Examples:\n  \
        retouch edit photo.jpg \"a bit brighter, then crop to 3:2\" -o out.png\n  \
        retouch edit left.png right.png \"put them side by side\" -o both.png\n  \
        retouch edit photo.jpg \"sepia\" --explain\n  \
        retouch edit photo.jpg --plan plan.json -o out.png"
)]
pub(super) struct EditArguments {
    /// The pictures, and last the instruction in quotation marks.
    #[arg(required = true, num_args = 1.., value_name = "PICTURE... INSTRUCTION")]
    pub(super) pictures_and_instruction: Vec<String>,
    /// A plan to do in place of an instruction, as --explain --json prints it.
    #[arg(long, value_name = "PLAN.json")]
    pub(super) plan: Option<PathBuf>,
    /// Where to save the result, as PNG; - writes it to standard output.
    #[arg(
        short = 'o',
        long = "output",
        value_name = "OUT.png",
        required_unless_present = "explain"
    )]
    pub(super) to: Option<PathBuf>,
    /// The shape of the result, such as 3:2, or auto.
    #[arg(long, value_name = "WIDTH:HEIGHT")]
    pub(super) aspect_ratio: Option<AspectRatio>,
    /// The size of the result in pixels, such as 1024x768.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    pub(super) size: Option<Size>,
    /// A font file for characters that the built-in fonts lack; can be repeated.
    #[arg(long = "font", value_name = "FONT.ttf")]
    pub(super) fonts: Vec<PathBuf>,
    /// Say what would be done, and do nothing.
    #[arg(long, conflicts_with = "to")]
    pub(super) explain: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct AccountArguments {
    /// The address that its owner signs in with.
    #[arg(long)]
    pub(super) email: Email,
    /// Read the password, one line, from standard input; elsewhere others might see it.
    #[arg(long, required = true)]
    pub(super) password_stdin: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct InviteArguments {
    /// The only address that can sign up with it; without it, any.
    #[arg(long)]
    pub(super) email: Option<Email>,
    /// How many days it works.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=i64::from(DAYS_MAX)))]
    pub(super) days: u8,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct KeyArguments {
    /// The address of the account that pays for the key's calls.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// What to call the key.
    #[arg(long)]
    pub(super) name: String,
    /// When it stops working, such as 2030-01-31T00:00:00Z.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(super) expires_at: Option<Timestamp>,
    /// The most credits that it may spend in its life.
    #[arg(long, value_name = "N", value_parser = some_credits)]
    pub(super) credit_limit: Option<Credits>,
    /// What it may do, with commas between: edit (make images and videos, and read what the key itself
    /// made), read (everything of the account), delete (what the key may read).
    #[arg(long, value_name = "SCOPES", default_value = "edit")]
    pub(super) scopes: Scopes,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct RevokeArguments {
    /// The key's id (key_…), as lists show it; not its secret.
    pub(super) id: KeyId,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct GrantArguments {
    /// The address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// How many credits; at least 1.
    #[arg(long, value_name = "N", value_parser = some_credits)]
    pub(super) credits: Credits,
    /// Why; the account's owner reads it in the list of entries.
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: String,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct RoleArguments {
    /// The address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// Why; administrators read it in the log.
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: String,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct AssignArguments {
    /// The address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// The plan's id, such as basic.
    #[arg(long, value_name = "PLAN")]
    pub(super) plan: String,
    /// Why; the account's owner reads it in the list of entries.
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: Option<String>,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct CancelArguments {
    /// The address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    /// End it at once, not with its month.
    #[arg(long)]
    pub(super) now: bool,
    #[command(flatten)]
    pub(super) output: Output,
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// The address of the account.
    #[arg(long, value_name = "EMAIL")]
    pub(super) account: Email,
    #[command(flatten)]
    pub(super) output: Output,
}

impl Command {
    /// Whether the answer is wanted as JSON.
    pub(super) fn json(&self) -> bool {
        let output = match self {
            Self::Serve => return false,
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

/// Never refused: what is refused is repeated to whoever looks on.
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
