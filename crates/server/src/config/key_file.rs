//! The file with the secret key of a server that has an embedded database and no `server.secret_key`,
//! so that everything works without any settings.
//!
//! It is next to the database, because it belongs to what is encrypted in there, and not in it, so that
//! a backup of the database doesn't reveal that. `retouch serve` creates it; commands only read it.

use std::fs::{self, File};
use std::io::ErrorKind::{InvalidData, NotFound};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64_simd::STANDARD;
use retouch_core::Entropy;

use super::Secret;
use super::reader::Reader;
use super::server::SECRET_KEY;
use crate::auth::sealing::{KEY_BYTES, SecretKey};

const WRONG: &str = "it does not contain 32 bytes in base64";

/// The key in the file next to `database`; none if there is no file that can be read. A file without a
/// key is a problem of the setting that it stands in for.
pub(super) fn find(database: &Path, reader: &mut Reader<'_>) -> Option<SecretKey> {
    let path = path(database);
    match read(&path) {
        Ok(key) => Some(key),
        // What needs the key also needs the database, and says why that cannot be opened.
        Err(error) if error.kind() != InvalidData => None,
        Err(error) => {
            let message = format!(
                "cannot read the key in {}: {error}. Restore the file. If you can't, remove it: then \
                 webhooks need new secrets, and API keys of providers must be entered again",
                path.display()
            );
            reader.refuse(SECRET_KEY, message);
            None
        }
    }
}

/// The key in the file next to `database`. If there is none, creates a key and the file, which only the
/// user of this process can read. It is durable when this returns.
///
/// # Errors
/// When the file cannot be read or written.
pub(crate) fn find_or_create(database: &Path, entropy: &dyn Entropy) -> io::Result<SecretKey> {
    let path = path(database);
    match read(&path) {
        Err(error) if error.kind() == NotFound => {}
        found => return found,
    }
    let mut bytes = [0; KEY_BYTES];
    entropy.fill(&mut bytes);
    write(&path, STANDARD.encode_to_string(bytes).as_bytes())?;
    tracing::info!(file = %path.display(), "created the key that encrypts secrets in the database");
    read(&path)
}

fn read(path: &Path) -> io::Result<SecretKey> {
    let text = Secret::new(fs::read_to_string(path)?);
    SecretKey::of(&text).ok_or_else(|| io::Error::new(InvalidData, WRONG))
}

/// Writes the file so that it is complete or not there at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("key.unfinished");
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&unfinished, path)?;
    #[cfg(unix)]
    File::open(folder(path))?.sync_all()?;
    Ok(())
}

/// The folder of a file. That of a relative name is the current one.
#[cfg(unix)]
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn path(database: &Path) -> PathBuf {
    database.with_extension("key")
}
