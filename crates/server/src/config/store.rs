//! Where rows, images and the catalogue of models live.

use std::path::{Path, PathBuf};

use retouch_core::catalogue::{Catalogue, EMBEDDED};
use retouch_store::{Address, Database};
use thiserror::Error;
use url::Url;

use super::reader::Reader;

/// The database's file in the data folder.
const DATABASE_FILE: &str = "retouch.db";
/// The images' folder in the data folder.
const BLOBS_FOLDER: &str = "blobs";

/// The section `[store]`.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// The folder of everything that survives a restart.
    pub data_dir: PathBuf,
    /// Where the rows are.
    pub database: Database,
    /// The folder of the stored images.
    pub blobs: PathBuf,
    /// Connections that read the database at the same time.
    pub readers_max: usize,
    /// Connections that write to a database server at the same time.
    pub writers_max: usize,
}

impl StoreSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let data_dir = reader.required("store.data_dir", |text| match text {
            "" => Err("expected a folder".to_owned()),
            text => Ok(PathBuf::from(text)),
        });
        let data_dir = data_dir.unwrap_or_default();
        let database = database_place(reader);
        let blobs = blobs_folder(reader);
        Self {
            database: database.unwrap_or_else(|| Database::File(data_dir.join(DATABASE_FILE))),
            blobs: blobs.unwrap_or_else(|| data_dir.join(BLOBS_FOLDER)),
            readers_max: reader.number("store.readers_max", 1..=256),
            writers_max: reader.number("store.writers_max", 1..=64),
            data_dir,
        }
    }
}

/// The addresses may hold passwords, so a message repeats at most their scheme.
fn database_place(reader: &mut Reader<'_>) -> Option<Database> {
    const KEY: &str = "store.database_url";
    let text = reader.secret(KEY)?;
    database(text.reveal()).map_err(|message| reader.refuse(KEY, message)).ok()
}

fn blobs_folder(reader: &mut Reader<'_>) -> Option<PathBuf> {
    const KEY: &str = "store.blobs_url";
    let text = reader.text(KEY);
    if text.is_empty() {
        return None;
    }
    blobs_path(text).map_err(|message| reader.refuse(KEY, message)).ok()
}

fn database(text: &str) -> Result<Database, String> {
    if let Some("postgres" | "postgresql") = scheme(text) {
        return Address::parse(text).map(Database::Server).map_err(|error| error.to_string());
    }
    let expected =
        "expected sqlite:PATH, the file of the database, or postgres://USER:PASSWORD@HOST/DATABASE";
    let path = text.strip_prefix("sqlite:").ok_or(expected)?;
    let path = path.strip_prefix("//").unwrap_or(path);
    // A database in memory forgets at every stop what callers have paid for.
    let is_file = !path.is_empty() && !path.starts_with(':') && !path.contains('?');
    if is_file { Ok(Database::File(PathBuf::from(path))) } else { Err(expected.to_owned()) }
}

fn blobs_path(text: &str) -> Result<PathBuf, String> {
    let expected = "expected file:///PATH, the folder of the images";
    if let Some(scheme @ "s3") = scheme(text) {
        return Err(format!("this build cannot use {scheme}://; it supports a folder: {expected}"));
    }
    let is_local = text.starts_with("file:///");
    let path = Url::parse(text).ok().filter(|_| is_local).and_then(|url| url.to_file_path().ok());
    path.ok_or_else(|| expected.to_owned())
}

fn scheme(text: &str) -> Option<&str> {
    text.split_once("://").map(|(scheme, _)| scheme)
}

/// The section `[catalogue]`.
#[derive(Clone, Debug)]
pub struct CatalogueSettings {
    /// The operator's own catalogue, instead of the embedded one.
    pub file: Option<PathBuf>,
}

/// Why there is no catalogue.
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
    /// When the operator's file cannot be read, has another form, or contradicts itself.
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
