//! A line that moves while work takes long, for somebody who watches.

use std::time::Duration;

use indicatif::ProgressBar;

/// How often the line moves, in milliseconds.
const TICK_MS: u64 = 100;

/// A moving line on standard error, where that is a terminal; gone when dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Says what is being done.
    pub(super) fn start(what: &'static str) -> Self {
        let line = ProgressBar::new_spinner().with_message(what);
        line.enable_steady_tick(Duration::from_millis(TICK_MS));
        Self(line)
    }

    /// Says how far it is.
    pub(super) fn say(&self, what: String) {
        self.0.set_message(what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
