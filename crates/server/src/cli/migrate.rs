//! `retouch migrate`: the schema of the database, brought up to date before the new version serves.

use retouch_store::{Database, Migration, migrate, missing_steps};
use serde_json::json;

use super::answer::{Answer, Failure};
use super::command::MigrateArguments;
use super::progress::Progress;
use super::session;
use crate::config::{Settings, Sources};
use crate::serve::DataLock;

/// Takes the steps that are missing, or only says which they are.
pub(super) fn migrate_schema(
    sources: &Sources,
    asked: &MigrateArguments,
) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    let (database, store) = (&settings.store.database, settings.store_settings());
    session::keep_files_private();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let missing = runtime.block_on(missing_steps(&store))?;
    if asked.dry_run || missing.steps.is_empty() {
        return Ok(told(database, &missing, false));
    }
    // On a server, the nodes of the version before may go on; a file has one server, which knows one
    // schema.
    let _lock = database.file().map(DataLock::take).transpose().map_err(Failure::failed)?;
    let _progress = Progress::start("Changing the schema of the database");
    let taken = runtime.block_on(migrate(&store))?;
    Ok(told(database, &taken, true))
}

fn told(database: &Database, migration: &Migration, is_done: bool) -> Answer {
    let Migration { found, known, steps } = migration;
    let json = json!({ "found": found, "known": known, "steps": steps, "migrated": is_done });
    let list: String = steps.iter().map(|step| format!("  {step}\n")).collect();
    let text = match (steps.is_empty(), is_done) {
        (true, _) => format!("The schema of {database} is up to date: {known}.\n"),
        (false, true) => {
            format!("Brought the schema of {database} from {found} to {known}:\n{list}")
        }
        (false, false) => {
            format!(
                "The schema of {database} is {found}, and this version needs {known}; missing:\n{list}"
            )
        }
    };
    Answer::new(text, json)
}
