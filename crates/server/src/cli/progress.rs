//! A progress line for commands that take a while.

use std::time::Duration;

use indicatif::ProgressBar;

/// How often the line is redrawn, in milliseconds.
const TICK_MS: u64 = 100;

/// A spinner on standard error, if that is a terminal. Dropping it clears the line.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Starts the spinner with this message.
    pub(super) fn start(what: &'static str) -> Self {
        let line = ProgressBar::new_spinner().with_message(what);
        line.enable_steady_tick(Duration::from_millis(TICK_MS));
        Self(line)
    }

    /// Changes the message.
    pub(super) fn say(&self, what: String) {
        self.0.set_message(what);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
