//! `retouch migrate`: migrates the database schema before the new version starts.

use retouch_store::{Database, Migration, migrate, missing_steps};
use serde_json::json;

use super::answer::{Answer, Failure};
use super::command::MigrateArguments;
use super::progress::Progress;
use super::session;
use crate::config::{Settings, Sources};
use crate::serve::DataLock;

/// Runs the pending migrations, or only lists them.
pub(super) fn migrate_schema(
    sources: &Sources,
    asked: &MigrateArguments,
) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    session::require_database(&settings)?;
    let (database, store) = (&settings.store.database, settings.store_settings());
    session::keep_files_private();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let missing = runtime.block_on(missing_steps(&store))?;
    if asked.dry_run || missing.steps.is_empty() {
        return Ok(render(database, &missing, false));
    }
    // On PostgreSQL, nodes of the previous version may keep running. A SQLite file has only one
    // server, which knows only one schema.
    let _lock = database.file().map(DataLock::take).transpose().map_err(Failure::failed)?;
    let _progress = Progress::start("Migrating the database schema");
    let taken = runtime.block_on(migrate(&store))?;
    Ok(render(database, &taken, true))
}

fn render(database: &Database, migration: &Migration, is_done: bool) -> Answer {
    let Migration { found, known, steps } = migration;
    let json = json!({ "found": found, "known": known, "steps": steps, "migrated": is_done });
    let list: String = steps.iter().map(|step| format!("  {step}\n")).collect();
    let text = match (steps.is_empty(), is_done) {
        (true, _) => format!("The schema of {database} is up to date (version {known}).\n"),
        (false, true) => {
            format!("Migrated the schema of {database} from version {found} to {known}:\n{list}")
        }
        (false, false) => {
            format!(
                "The schema of {database} is version {found}; this program needs version {known}. \
                 Pending:\n{list}"
            )
        }
    };
    Answer::new(text, json)
}
