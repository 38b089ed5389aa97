//! `retouch move`: moves to another database or image store and verifies that nothing is missing.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use retouch_store::{
    BlobsPlace, Database, FilesMoved, ResultsFound, Stage, TableMoved, Transfer, Transferred,
    transfer,
};
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::MoveArguments;
use super::progress::Progress;
use super::session;
use crate::config::{Secret, Settings, Sources, StoreSettings, read_secret};
use crate::serve::DataLock;
use crate::words::{counted, ledger};

/// Moves the database, the images, or both.
pub(super) fn transfer_all(sources: &Sources, asked: &MoveArguments) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    session::keep_files_private();
    let plan = plan(&settings, asked)?;
    if asked.from.is_none() && asked.from_file.is_none() {
        session::require_database(&settings)?;
    }
    let _locks = locks(&plan)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = {
        let progress = Progress::start("Checking the source and the target");
        let watch = Arc::new(move |stage: Stage<'_>| progress.say(describe(stage)));
        runtime.block_on(transfer(plan.clone(), watch)).map_err(Failure::failed)?
    };
    let is_sound = done.is_sound();
    let answer = Answer::new(text(&plan, &done), value(&done)).failing_when(!is_sound);
    Ok(match (is_sound, &plan.to, &plan.to_blobs) {
        (false, Some(to), _) => {
            answer.note(format!("Do not use {to}. No server will start on it."))
        }
        (false, None, _) => answer.note("Keep using the previous image store."),
        (true, to, to_blobs) => answer.note(next_steps(to.as_ref(), to_blobs.as_ref())),
    })
}

fn plan(settings: &Settings, asked: &MoveArguments) -> Result<Transfer, Failure> {
    let store = &settings.store;
    let blobs = |url: &Option<String>, flag: &str| {
        let place = url.as_deref().map(|url| settings.blobs_at(url)).transpose();
        place.map_err(|message| Failure::Usage(format!("{flag}: {message}")))
    };
    let from = database(asked.from.as_ref(), asked.from_file.as_deref(), "--from")?;
    if from.is_some() && asked.from_blobs.is_none() && asked.to_blobs.is_some() {
        let message = "--from-blobs: say where the images of the source database are";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(Transfer {
        from: from.unwrap_or_else(|| store.database.clone()),
        from_blobs: blobs(&asked.from_blobs, "--from-blobs")?
            .unwrap_or_else(|| store.blobs.clone()),
        to: database(asked.to.as_ref(), asked.to_file.as_deref(), "--to")?,
        to_blobs: blobs(&asked.to_blobs, "--to-blobs")?,
        anew: asked.start_over,
    })
}

/// The database of a URL, given directly or in a file. No message repeats the URL.
fn database(
    address: Option<&Secret>,
    file: Option<&Path>,
    flag: &str,
) -> Result<Option<Database>, Failure> {
    let address = match (address, file) {
        (Some(address), _) => address.clone(),
        (None, Some(file)) => {
            let text = read_secret(&file.display().to_string());
            Secret::new(text.map_err(|message| Failure::Failed(format!("{flag}-file: {message}")))?)
        }
        (None, None) => return Ok(None),
    };
    let database = StoreSettings::database_at(address.reveal());
    database.map(Some).map_err(|message| Failure::Usage(format!("{flag}: {message}")))
}

/// Locks both databases if they are files, so that no server can start on them.
fn locks(plan: &Transfer) -> Result<Vec<DataLock>, Failure> {
    let (from, to) = (plan.from.file(), plan.to.as_ref().and_then(Database::file));
    if let Some(missing) = from.filter(|path| !path.exists()) {
        return Err(Failure::Failed(format!("there is no database at {}", missing.display())));
    }
    let real = |path: Option<&Path>| path.and_then(|path| path.canonicalize().ok());
    if real(from).is_some_and(|from| real(to) == Some(from)) {
        return Err(Failure::Usage("--to is the same database as the source".to_owned()));
    }
    let locks = [from, to].into_iter().flatten().map(DataLock::take);
    locks.collect::<Result<_, _>>().map_err(Failure::failed)
}

fn describe(stage: Stage<'_>) -> String {
    match stage {
        Stage::Replaying => "Verifying the ledger".to_owned(),
        Stage::Copying { table, rows } => format!("Copying {table}: {rows} rows"),
        Stage::Comparing { table, rows } => format!("Comparing {table}: {rows} rows"),
        Stage::Files { count, bytes } => format!("Copying files: {count}, {} MiB", bytes >> 20),
        Stage::Results { count } => format!("Checking result files: {count}"),
    }
}

fn text(plan: &Transfer, done: &Transferred) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if let (Some(to), Some([_, there])) = (&plan.to, &done.books) {
        let rows: u64 = done.tables.iter().map(|table| table.rows).sum();
        let _ = writeln!(
            text,
            "Copied {} in {} to {to}.",
            counted(rows, "row"),
            counted(done.tables.len(), "table")
        );
        text.push_str(&differences(&done.tables));
        let _ = match there.found {
            0 => writeln!(text, "The ledger is correct on both sides: {}.", ledger(there)),
            found => {
                writeln!(text, "The ledger has {} in the target.", counted(found, "error"))
            }
        };
    }
    if let (Some(to), Some(files)) = (&plan.to_blobs, done.files) {
        let (count, bytes) = (files.count, files.bytes);
        let _ = writeln!(
            text,
            "Copied {count} files ({bytes} bytes) to {to}; {} were already there.",
            files.known
        );
        if files.differing > 0 {
            let _ = writeln!(text, "{} files are different in the target.", files.differing);
        }
    }
    let FilesMoved { count, differing, .. } = done.small_files;
    if count > 0 {
        let _ = writeln!(text, "Copied {} from the database to files.", counted(count, "image"));
    }
    if differing > 0 {
        let _ = writeln!(text, "{differing} of them are different in the target.");
    }
    text + &results(&done.results)
}

fn differences(tables: &[TableMoved]) -> String {
    let line = |table: &TableMoved| {
        let TableMoved { name, rows, rows_written, first_difference } = table;
        let where_ = first_difference
            .map_or(String::new(), |row| format!(", first difference in row {row}"));
        format!("  {name}: {rows} rows in the source, {rows_written} in the target{where_}\n")
    };
    let lines: String = tables.iter().filter(|table| !table.is_same()).map(line).collect();
    match lines.is_empty() {
        true => "All rows are identical.\n".to_owned(),
        false => format!("Some tables are different:\n{lines}"),
    }
}

fn results(found: &ResultsFound) -> String {
    let ResultsFound { count, missing, lost_before, names } = found;
    let names = names.join(", ");
    let mut text = match (missing, lost_before) {
        (0, 0) => return format!("All {count} result files are there.\n"),
        (0, _) => String::new(),
        (_, _) => {
            format!("{missing} of {count} result files are missing or incomplete in the target.\n")
        }
    };
    if *lost_before > 0 {
        let _ = writeln!(text, "{lost_before} of {count} were already missing in the source.");
    }
    text + &format!("Missing files include {names}.\n")
}

/// What to do next.
fn next_steps(to: Option<&Database>, to_blobs: Option<&BlobsPlace>) -> String {
    let database = to.map(|_| "RETOUCH_STORE__DATABASE_URL");
    let blobs = to_blobs.map(|_| "RETOUCH_STORE__BLOBS_URL");
    let settings: Vec<&str> = database.into_iter().chain(blobs).collect();
    format!(
        "Next: set {}, run `retouch doctor`, and start the server. Keep the source until the new \
         server works, and do not start a server on the source again.",
        settings.join(" and ")
    )
}

fn value(done: &Transferred) -> Value {
    let table = |table: &TableMoved| {
        json!({
            "name": table.name, "rows": table.rows, "rows_written": table.rows_written,
            "first_difference": table.first_difference,
        })
    };
    let files = |files: FilesMoved| {
        json!({
            "count": files.count, "bytes": files.bytes, "known": files.known,
            "differing": files.differing,
        })
    };
    let books = done.books.as_ref().map(|[from, to]| {
        let side = |it: &retouch_store::VerifyReport| {
            json!({ "accounts": it.accounts, "entries": it.entries, "found": it.found })
        };
        json!({ "from": side(from), "to": side(to) })
    });
    let ResultsFound { count, missing, lost_before, .. } = done.results;
    json!({
        "sound": done.is_sound(),
        "tables": done.tables.iter().map(table).collect::<Vec<Value>>(),
        "books": books,
        "files": done.files.map(files),
        "small_files": files(done.small_files),
        "results": { "count": count, "missing": missing, "lost_before": lost_before },
    })
}
