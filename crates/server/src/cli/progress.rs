//! A progress line for commands that take a while.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

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

/// How the bar looks: what, how far, how many, and how long it will take.
const BAR: &str = "{msg} {wide_bar} {pos}/{len}, {eta} left ";

/// A bar on standard error, if that is a terminal. Dropping it clears the line.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// Starts the bar with this message and number of steps.
    pub(super) fn start(what: &'static str, steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64).with_message(what);
        let style = ProgressStyle::with_template(BAR);
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(TICK_MS));
        Self(bar)
    }

    /// One more step is done.
    pub(super) fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
