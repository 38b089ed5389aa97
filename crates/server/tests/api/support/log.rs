//! The log of the whole test process. A log for one thread would come and go, and `tracing` might
//! then have cached that no subscriber is interested in a line.

use std::io::{self, Write};
use std::sync::{Mutex, Once, PoisonError};

static WRITTEN: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static START: Once = Once::new();

/// Starts logging, for all tests of the process.
pub fn start() {
    START.call_once(|| {
        let log = tracing_subscriber::fmt().with_ansi(false).with_writer(|| Log);
        tracing::subscriber::set_global_default(log.finish()).unwrap();
    });
}

/// The logged lines that contain `request_id`.
pub fn of(request_id: &str) -> Vec<String> {
    let written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&written);
    text.lines().filter(|line| line.contains(request_id)).map(ToOwned::to_owned).collect()
}

struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        WRITTEN.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
