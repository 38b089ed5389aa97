//! What the whole test process logs. One log for all: a log of one thread alone comes and goes,
//! and `tracing` may then have decided for good that nobody listens to a line.

use std::io::{self, Write};
use std::sync::{Mutex, Once, PoisonError};

static WRITTEN: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static START: Once = Once::new();

/// Logs from now on, in whichever test.
pub fn start() {
    START.call_once(|| {
        let log = tracing_subscriber::fmt().with_ansi(false).with_writer(|| Log);
        tracing::subscriber::set_global_default(log.finish()).unwrap();
    });
}

/// The lines that were logged and name `request_id`.
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
