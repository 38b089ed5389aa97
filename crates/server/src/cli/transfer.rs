//! `retouch move`: to another database, and to another place of stored images, with a proof that nothing
//! lacks.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use retouch_store::{
    BlobsPlace, Database, ResultsFound, Stage, TableMoved, Transfer, Transferred, transfer,
};
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::MoveArguments;
use super::progress::Progress;
use super::session;
use crate::config::{Secret, Settings, Sources, StoreSettings, read_secret};
use crate::serve::DataLock;

/// Moves what was asked for.
pub(super) fn transfer_all(sources: &Sources, asked: &MoveArguments) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    session::keep_files_private();
    let plan = plan(&settings, asked)?;
    let _locks = locks(&plan)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = {
        let progress = Progress::start("Looking at both sides");
        let watch = Arc::new(move |stage: Stage<'_>| progress.say(told(stage)));
        runtime.block_on(transfer(plan.clone(), watch)).map_err(Failure::failed)?
    };
    let is_sound = done.is_sound();
    let answer = Answer::new(text(&plan, &done), value(&done)).failing_when(!is_sound);
    Ok(match (is_sound, &plan.to, &plan.to_blobs) {
        (false, Some(to), _) => {
            answer.note(format!("{to} must not be used, and no server starts on it."))
        }
        (false, None, _) => answer.note("Go on with the place that the images were in."),
        (true, to, to_blobs) => answer.note(onward(to.as_ref(), to_blobs.as_ref())),
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
        let message = "--from-blobs: say where the images of that database are";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(Transfer {
        from: from.unwrap_or_else(|| store.database.clone()),
        from_blobs: blobs(&asked.from_blobs, "--from-blobs")?
            .unwrap_or_else(|| store.blobs.clone()),
        to: database(asked.to.as_ref(), asked.to_file.as_deref(), "--to")?,
        to_blobs: blobs(&asked.to_blobs, "--to-blobs")?,
        anew: asked.anew,
    })
}

/// The database of an address, or of one in a file; no message repeats it.
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

/// Keeps servers from both databases, where they are files.
fn locks(plan: &Transfer) -> Result<Vec<DataLock>, Failure> {
    let (from, to) = (plan.from.file(), plan.to.as_ref().and_then(Database::file));
    if let Some(missing) = from.filter(|path| !path.exists()) {
        return Err(Failure::Failed(format!("there is no database at {}", missing.display())));
    }
    let real = |path: Option<&Path>| path.and_then(|path| path.canonicalize().ok());
    if real(from).is_some_and(|from| real(to) == Some(from)) {
        return Err(Failure::Usage("--to is the database that is to be moved".to_owned()));
    }
    let locks = [from, to].into_iter().flatten().map(DataLock::take);
    locks.collect::<Result<_, _>>().map_err(Failure::failed)
}

fn told(stage: Stage<'_>) -> String {
    match stage {
        Stage::Replaying => "Replaying the books".to_owned(),
        Stage::Copying { table, rows } => format!("Copying {table}: {rows} rows"),
        Stage::Comparing { table, rows } => format!("Comparing {table}: {rows} rows"),
        Stage::Files { count, bytes } => format!("Copying files: {count}, {} MiB", bytes >> 20),
        Stage::Results { count } => format!("Looking for the files of results: {count}"),
    }
}

fn text(plan: &Transfer, done: &Transferred) -> String {
    let mut text = String::new();
    // Writing to a text cannot fail.
    if let (Some(to), Some([_, there])) = (&plan.to, &done.books) {
        let rows: u64 = done.tables.iter().map(|table| table.rows).sum();
        let _ = writeln!(text, "Copied {rows} rows of {} tables to {to}.", done.tables.len());
        text.push_str(&differences(&done.tables));
        let _ = match there.found {
            0 => writeln!(
                text,
                "The books balance on both sides: {} accounts, {} entries.",
                there.accounts, there.entries
            ),
            found => writeln!(text, "The books there do not balance: {found} disagreements."),
        };
    }
    if let (Some(to), Some(files)) = (&plan.to_blobs, done.files) {
        let (count, bytes) = (files.count, files.bytes);
        let _ = writeln!(
            text,
            "Copied {count} files of {bytes} bytes to {to}; {} of them were there.",
            files.known
        );
        if files.differing > 0 {
            let _ = writeln!(text, "{} files are not the same there.", files.differing);
        }
    }
    text + &results(&done.results)
}

fn differences(tables: &[TableMoved]) -> String {
    let line = |table: &TableMoved| {
        let TableMoved { name, rows, rows_written, first_difference } = table;
        let where_ = first_difference
            .map_or(String::new(), |row| format!(", the first difference in row {row}"));
        format!("  {name}: {rows} rows here, {rows_written} there{where_}\n")
    };
    let lines: String = tables.iter().filter(|table| !table.is_same()).map(line).collect();
    match lines.is_empty() {
        true => "Every row is the same on both sides.\n".to_owned(),
        false => format!("Both sides are not the same:\n{lines}"),
    }
}

fn results(found: &ResultsFound) -> String {
    let ResultsFound { count, missing, lost_before, names } = found;
    let names = names.join(", ");
    let mut text = match (missing, lost_before) {
        (0, 0) => return format!("Every result has its file: {count}.\n"),
        (0, _) => String::new(),
        (_, _) => format!("{missing} of {count} results lack their files there.\n"),
    };
    if *lost_before > 0 {
        let _ = writeln!(text, "{lost_before} of {count} results had no file before.");
    }
    text + &format!("Among them {names}.\n")
}

/// What comes next.
fn onward(to: Option<&Database>, to_blobs: Option<&BlobsPlace>) -> String {
    let database = to.map(|_| "RETOUCH_STORE__DATABASE_URL");
    let blobs = to_blobs.map(|_| "RETOUCH_STORE__BLOBS_URL");
    let settings: Vec<&str> = database.into_iter().chain(blobs).collect();
    format!(
        "Now set {}, look with `retouch doctor`, and serve. Keep what was moved until that has gone well, and \
         serve it no more.",
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
    let files = done.files.map(|files| {
        json!({
            "count": files.count, "bytes": files.bytes, "known": files.known,
            "differing": files.differing,
        })
    });
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
        "files": files,
        "results": { "count": count, "missing": missing, "lost_before": lost_before },
    })
}
