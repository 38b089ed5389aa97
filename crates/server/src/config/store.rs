//! Where the database, the images and the catalogue of models are.

use std::path::{Path, PathBuf};

use retouch_core::catalogue::{Catalogue, EMBEDDED};
use retouch_store::{Address, BlobsPlace, Database};
use thiserror::Error;

use super::duration::{self, CENTURY_MS, DAY_MS};
use super::reader::Reader;

/// The database file in the data folder.
const DATABASE_FILE: &str = "retouch.db";
/// The image folder in the data folder.
const BLOBS_FOLDER: &str = "blobs";
/// The longest validity of a presigned S3 URL, in milliseconds.
const PRESIGNED_MS_MAX: u64 = 7 * DAY_MS;

/// Minimum age before an image that belongs to no edit is deleted, in milliseconds.
const ORPHAN_AGE_MS_MIN: u64 = 2 * DAY_MS;

/// The section `[store]`.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// The folder for the embedded database and images.
    pub data_dir: PathBuf,
    /// The database.
    pub database: Database,
    /// Where images are stored.
    pub blobs: BlobsPlace,
    /// How long presigned S3 URLs are valid, in milliseconds; 0 to serve images through the service.
    pub presigned_ms: u64,
    /// Age at which a stored image that belongs to no edit is deleted, in milliseconds; 0 for never.
    pub orphan_age_ms: i64,
    /// How many days results of accounts without a plan are kept, if not as in the catalogue. The
    /// inner `None`: until they are deleted.
    pub results_kept_days: Option<Option<u32>>,
    /// Maximum number of connections that read from the database.
    pub readers_max: usize,
    /// Connections that write to a database server.
    pub writers_max: usize,
}

impl StoreSettings {
    /// The database for a URL like `store.database_url`.
    ///
    /// # Errors
    /// What was expected. The message does not contain the URL, which may have a password.
    pub fn database_at(address: &str) -> Result<Database, String> {
        database(address)
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let data_dir = reader.required("store.data_dir", |text| match text {
            "" => Err("expected a folder".to_owned()),
            text => Ok(PathBuf::from(text)),
        });
        let data_dir = data_dir.unwrap_or_default();
        let database = database_place(reader);
        let blobs = super::blobs::read(reader);
        Self {
            database: database.unwrap_or_else(|| Database::File(data_dir.join(DATABASE_FILE))),
            blobs: blobs.unwrap_or_else(|| BlobsPlace::Folder(data_dir.join(BLOBS_FOLDER))),
            presigned_ms: reader.duration("store.presigned_age_max", 0..=PRESIGNED_MS_MAX),
            orphan_age_ms: orphan_age_ms(reader),
            results_kept_days: reader.optional("store.results_kept", results_kept),
            readers_max: reader.number("store.readers_max", 1..=256),
            writers_max: reader.number("store.writers_max", 1..=64),
            data_dir,
        }
    }
}

/// Reads how long results are kept, as days.
fn results_kept(text: &str) -> Result<Option<u32>, String> {
    if text.trim() == "forever" {
        return Ok(None);
    }
    let ms = duration::parse(text).filter(|ms| (DAY_MS..=CENTURY_MS).contains(ms));
    let days = ms.filter(|ms| ms % DAY_MS == 0).and_then(|ms| u32::try_from(ms / DAY_MS).ok());
    days.map(Some).ok_or_else(|| "expected whole days such as \"30 d\", or \"forever\"".to_owned())
}

/// An edit in progress can run for a day, during which its files belong to no finished edit.
fn orphan_age_ms(reader: &mut Reader<'_>) -> i64 {
    const KEY: &str = "store.orphan_age_max";
    let age_ms: i64 = reader.duration(KEY, 0..=CENTURY_MS);
    if age_ms != 0 && age_ms.unsigned_abs() < ORPHAN_AGE_MS_MIN {
        let [age, least] = [age_ms.unsigned_abs(), ORPHAN_AGE_MS_MIN].map(duration::show);
        reader.refuse(KEY, format!("{age} is too low; expected 0 or at least {least}"));
    }
    age_ms
}

/// The URL may contain a password, so a message repeats at most its scheme.
fn database_place(reader: &mut Reader<'_>) -> Option<Database> {
    const KEY: &str = "store.database_url";
    let text = reader.secret(KEY)?;
    database(text.reveal()).map_err(|message| reader.refuse(KEY, message)).ok()
}

fn database(text: &str) -> Result<Database, String> {
    if let Some("postgres" | "postgresql") = scheme(text) {
        return Address::parse(text).map(Database::Server).map_err(|error| error.to_string());
    }
    let expected = "expected sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE";
    let path = text.strip_prefix("sqlite:").ok_or(expected)?;
    let path = path.strip_prefix("//").unwrap_or(path);
    // An in-memory database would lose all accounts and credits at every stop.
    let is_file = !path.is_empty() && !path.starts_with(':') && !path.contains('?');
    if is_file { Ok(Database::File(PathBuf::from(path))) } else { Err(expected.to_owned()) }
}

pub(super) fn scheme(text: &str) -> Option<&str> {
    text.split_once("://").map(|(scheme, _)| scheme)
}

/// The section `[catalogue]`.
#[derive(Clone, Debug)]
pub struct CatalogueSettings {
    /// The operator's own catalogue, used instead of the built-in one.
    pub file: Option<PathBuf>,
}

/// Why the catalogue cannot be used.
#[derive(Debug, Error)]
#[error("the catalogue {}: {reason}", path.display())]
pub struct CatalogueUnusable {
    path: PathBuf,
    reason: String,
}

impl CatalogueSettings {
    /// Reads and checks the catalogue.
    ///
    /// # Errors
    /// When the operator's file cannot be read or is invalid.
    pub fn load(&self) -> Result<Catalogue, CatalogueUnusable> {
        let unusable = |reason: String| CatalogueUnusable {
            path: self.file.clone().unwrap_or_else(|| Path::new("models.toml").into()),
            reason,
        };
        let text = match &self.file {
            Some(file) => {
                std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?
            }
            None => EMBEDDED.to_owned(),
        };
        Catalogue::parse(&text).map_err(|error| unusable(error.to_string()))
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self { file: reader.optional("catalogue.file", |text| Ok(PathBuf::from(text))) }
    }
}
