//! The command line: administration, and the editor without a server.
//!
//! Every command returns an `Answer`, which is printed in one place: data to standard output, as
//! text or JSON, and everything else to standard error. Exit status: 0 success, 1 failure, 2 usage
//! error.

mod account;
mod admin;
mod answer;
mod backup;
mod command;
mod config;
mod credits;
mod doctor;
mod edit;
mod healthcheck;
mod key;
mod mcp;
mod migrate;
mod models;
mod plan;
mod progress;
mod providers;
mod server;
mod session;
mod table;
mod transfer;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use crate::config::{Settings, Sources};
use crate::{serve, telemetry};
use answer::{Answer, Failure};
use command::{
    AccountCommand, AdminCommand, BackupCommand, Command, ConfigCommand, CreditsCommand,
    KeyCommand, PlanCommand, Retouch,
};

/// Exit status of a command that failed.
const FAILED: u8 = 1;
/// Exit status after a usage error.
const USAGE: u8 = 2;

/// Runs the command in `arguments`, whose first element is the program's name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let asked = match Retouch::try_parse_from(arguments) {
        Ok(asked) => asked,
        Err(refusal) => {
            // If standard error is closed, the exit status still reports the error.
            let _ = refusal.print();
            return ExitCode::from(if refusal.use_stderr() { USAGE } else { 0 });
        }
    };
    let json = asked.command.json();
    match perform(asked) {
        Ok(answer) => answer.print(json),
        Err(Failure::Failed(message)) => answer::complain(&message, FAILED),
        Err(Failure::Usage(message)) => answer::complain(&message, USAGE),
    }
}

fn perform(asked: Retouch) -> Result<Answer, Failure> {
    let sources = Sources::of_process(asked.config);
    match asked.command {
        Command::Serve => serve_until_stopped(&sources),
        Command::Edit(asked) => edit::edit(&asked),
        Command::Mcp(asked) => mcp::serve(&asked),
        Command::Account { command } => match command {
            AccountCommand::Create(asked) => account::create(&sources, asked),
            AccountCommand::Invite(asked) => account::invite(&sources, asked),
            AccountCommand::SetPassword(asked) => account::set_password(&sources, &asked),
            AccountCommand::List(_) => account::list(&sources),
        },
        Command::Admin { command } => match command {
            AdminCommand::Link(_) => admin::link(&sources),
            AdminCommand::Add(asked) => admin::add(&sources, &asked),
            AdminCommand::Remove(asked) => admin::remove(&sources, &asked),
            AdminCommand::List(_) => admin::list(&sources),
            AdminCommand::ResetSecondFactor(asked) => admin::reset_second_factor(&sources, &asked),
        },
        Command::Key { command } => match command {
            KeyCommand::Create(asked) => key::create(&sources, &asked),
            KeyCommand::Revoke(asked) => key::revoke(&sources, &asked),
        },
        Command::Credits { command } => match command {
            CreditsCommand::Grant(asked) => credits::grant(&sources, &asked),
            CreditsCommand::Show(asked) => credits::show(&sources, &asked),
            CreditsCommand::Verify(_) => credits::verify(&sources),
        },
        Command::Plan { command } => match command {
            PlanCommand::Assign(asked) => plan::assign(&sources, &asked),
            PlanCommand::Cancel(asked) => plan::cancel(&sources, &asked),
            PlanCommand::Show(asked) => plan::show(&sources, &asked),
        },
        Command::Backup { command } => match command {
            BackupCommand::Create(asked) => backup::create(&sources, &asked),
            BackupCommand::Restore(asked) => backup::restore(&sources, &asked),
        },
        Command::Migrate(asked) => migrate::migrate_schema(&sources, &asked),
        Command::Move(asked) => transfer::transfer_all(&sources, &asked),
        Command::Models(_) => models::list(&sources),
        Command::Config { command } => match command {
            ConfigCommand::Check(_) => Ok(config::check(&sources)),
            ConfigCommand::Show(_) => config::show(&sources),
        },
        Command::Doctor(_) => doctor::examine(&sources),
        Command::Healthcheck(asked) => healthcheck::check(&sources, &asked),
    }
}

fn serve_until_stopped(sources: &Sources) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    session::keep_files_private();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let traces = telemetry::start(&settings, runtime.handle()).map_err(Failure::failed)?;
    let served = runtime.block_on(serve::run(settings));
    if let Some(traces) = traces {
        traces.finish();
    }
    // Everything that matters has finished. Don't wait for threads that may block forever, such as
    // a DNS lookup that never returns.
    runtime.shutdown_background();
    served.map(|()| Answer::nothing()).map_err(Failure::failed)
}
