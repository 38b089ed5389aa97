//! `retouch backup`: copies the embedded database and the stored images while the service runs, and
//! restores them with a check that nothing is missing.

use retouch_core::{Clock, SystemClock};
use retouch_store::{Backup, Schema, VerifyReport};
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::BackupArguments;
use super::progress::Progress;
use super::session;
use crate::config::{Settings, Sources};
use crate::words::{counted, ledger};

/// Creates a backup. It does not check the schema, so you can back up before migrating.
pub(super) fn create(sources: &Sources, asked: &BackupArguments) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    session::require_database(&settings)?;
    session::keep_files_private();
    let made = {
        let _progress = Progress::start("Copying the database and the stored images");
        let now = (SystemClock.now(), env!("CARGO_PKG_VERSION"));
        retouch_store::back_up(&settings.store_settings(), &asked.folder, now)
            .map_err(Failure::failed)?
    };
    let folder = asked.folder.display();
    let text = format!("{folder} contains {}, as of {}.\n", held(&made), made.made_at);
    let answer = Answer::new(text, value(&made));
    Ok(match made.files {
        Some(_) => answer,
        None => answer.note("The stored images are in a bucket and are not part of the backup."),
    })
}

/// Restores a backup and verifies it.
pub(super) fn restore(sources: &Sources, asked: &BackupArguments) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    session::keep_files_private();
    let backup = {
        let _progress = Progress::start("Restoring the database and the stored images");
        retouch_store::restore(&settings.store_settings(), &asked.folder)
            .map_err(Failure::failed)?
    };
    let check = async |session: &session::Session| {
        let _progress = Progress::start("Verifying the ledger and the images");
        Ok((session.store.verify().await?, session.store.missing_files().await?))
    };
    let (report, (missing, names)) = session::with_schema(sources, Schema::Migrate, check)?;
    let is_ill = report.found > 0 || missing > 0;
    let mut json = value(&backup);
    json["found"] = json!(report.found);
    json["missing"] = json!(missing);
    let text = format!(
        "Restored {}, as of {}.\n{}{}",
        held(&backup),
        backup.made_at,
        books(&report),
        lost(missing, &names)
    );
    Ok(Answer::new(text, json).failing_when(is_ill))
}

fn held(backup: &Backup) -> String {
    let rows = format!("a database of {} bytes", backup.rows_bytes);
    match backup.files {
        Some(files) => {
            format!("{rows} and {} of {} bytes", counted(files.count, "file"), files.bytes)
        }
        None => rows,
    }
}

fn books(report: &VerifyReport) -> String {
    match report.found {
        0 => format!("The ledger is correct: {}.\n", ledger(report)),
        found => {
            let errors = counted(found, "error");
            format!("The ledger has {errors}; `retouch credits verify` lists the accounts.\n")
        }
    }
}

fn lost(missing: usize, names: &[String]) -> String {
    if missing == 0 {
        return "All result files are there.\n".to_owned();
    }
    let names = names.join(", ");
    format!("{missing} result files are missing, including {names}.\n")
}

fn value(backup: &Backup) -> Value {
    json!({
        "made_at": backup.made_at,
        "made_by": backup.made_by,
        "rows_bytes": backup.rows_bytes,
        "files": backup.files.map(|files| json!({ "count": files.count, "bytes": files.bytes })),
    })
}
