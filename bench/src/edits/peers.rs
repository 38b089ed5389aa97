//! The processes that edit: Retouch's, and one for each library in the folder that `peers/install`
//! created.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::case::Case;
use super::inputs::Input;
use crate::Fallible;
use crate::process::Process;

/// A line that requests an edit.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    /// The edit's name.
    pub(super) edit: String,
    /// Its instruction for Retouch.
    pub(super) words: String,
    /// The input file.
    pub(super) input: PathBuf,
}

/// The answer line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Done {
    /// From the input's bytes to the PNG's, in milliseconds.
    pub(super) ms: f64,
    /// The part of that time spent on decoding and encoding, in milliseconds, if the library
    /// reports it.
    pub(super) codecs_ms: Option<f64>,
    /// The length of the PNG.
    pub(super) bytes: u32,
    /// Its width in pixels.
    pub(super) width: u32,
    /// Its height in pixels.
    pub(super) height: u32,
}

/// One process that edits.
pub(super) struct Worker {
    /// The library that it runs.
    pub(super) library: &'static str,
    process: Process,
}

impl Worker {
    /// Performs an edit.
    pub(super) fn edit(&mut self, (input, case): (&Input, &Case)) -> Fallible<Done> {
        let asked = Asked {
            edit: case.name.to_owned(),
            words: case.words.to_owned(),
            input: input.path.clone(),
        };
        self.process.tell(&serde_json::to_string(&asked)?)?;
        self.process
            .said()
            .map_err(|error| format!("{}, {}: {error}", self.library, case.name).into())
    }
}

/// Starts all workers, Retouch first.
pub(super) fn start(folder: Option<&Path>) -> Fallible<Vec<Worker>> {
    let ours = Process::role(&["edit-worker".as_ref()])?;
    let mut workers = vec![Worker { library: "retouch", process: ours }];
    let Some(folder) = folder else { return Ok(workers) };
    for library in ["libvips", "Pillow", "OpenCV"] {
        let mut command = Command::new(folder.join("python/bin/python"));
        command.arg("-B").arg(scripts().join("worker.py")).arg(library);
        workers.push(Worker { library, process: Process::start(command)? });
    }
    let mut command = Command::new("node");
    command.arg(folder.join("node/worker.mjs"));
    workers.push(Worker { library: "sharp", process: Process::start(command)? });
    Ok(workers)
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}
