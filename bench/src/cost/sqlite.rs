//! The size of an SQLite database: its pages, including those that are only in its write-ahead log.
//! The sizes of the two files say little, because the log grows to its limit and is then
//! overwritten from its beginning.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::Fallible;

/// The sizes of the header of the log and of each page in it, in bytes ("Database File Format" of
/// SQLite, 4.1).
const LOG_HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;

/// The bytes of all pages of a database with a log, according to the last complete transaction in
/// the log, or else according to the file.
pub(super) fn bytes(database: &Path) -> Fallible<f64> {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    let in_file = std::fs::metadata(database)?.len() as f64;
    match File::open(log) {
        Ok(log) => Ok(bytes_by(&log)?.unwrap_or(in_file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(in_file),
        Err(error) => Err(error.into()),
    }
}

/// The size according to the log; none if it has no transaction.
fn bytes_by(mut log: &File) -> Fallible<Option<f64>> {
    let mut header = [0; LOG_HEADER_BYTES];
    if log.read_exact(&mut header).is_err() {
        return Ok(None);
    }
    // Frames from before the log was restarted have other salts.
    let (page_bytes, salts) = (number(&header, 8), header.get(16..24));
    let (mut at, mut frame) = (LOG_HEADER_BYTES as u64, [0; FRAME_HEADER_BYTES]);
    let mut pages = None;
    while log.read_exact_at(&mut frame, at).is_ok() && frame.get(8..16) == salts {
        // Zero in all frames of a transaction but the last.
        pages = Some(number(&frame, 4)).filter(|pages| *pages > 0).or(pages);
        at += FRAME_HEADER_BYTES as u64 + u64::from(page_bytes);
    }
    Ok(pages.map(|pages| f64::from(pages) * f64::from(page_bytes)))
}

/// Four bytes, big-endian.
fn number(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map_or(0, u32::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use retouch_core::Credits;
    use retouch_store::{NewAccount, Settings, Store};

    use super::*;
    use crate::service::context;

    #[tokio::test]
    async fn pages_are_counted_before_and_after_they_leave_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("retouch.db");
        let settings = Settings::new(database.clone(), folder.path().join("blobs"));
        let store = Store::open(&settings, context()).await.unwrap();
        let empty = bytes(&database).unwrap();
        for number in 0..200 {
            let email = format!("{number}@example.com").parse().unwrap();
            let sign_up_credits = Credits::from(15);
            let new = NewAccount { email, password_hash: None, sign_up_credits, invitation: None };
            store.create_account(new).await.unwrap();
        }
        let grown = bytes(&database).unwrap();
        let log = std::fs::metadata(folder.path().join("retouch.db-wal")).unwrap().len() as f64;
        assert!(grown > empty + 200.0 * 100.0, "{empty} to {grown}");
        assert!(log > 2.0 * grown, "the log contains many pages several times: {log}, {grown}");
        store.close().await.unwrap();
        let in_file = std::fs::metadata(&database).unwrap().len() as f64;
        assert_eq!(bytes(&database).unwrap(), in_file);
        assert!((in_file / grown - 1.0).abs() < 0.05, "{grown}, and {in_file} in the file");
    }
}
