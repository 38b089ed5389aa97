//! Results that are read at an address.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

/// How many files are kept; the oldest go first.
const FILES_MAX: usize = 1000;

/// Results by name.
#[derive(Debug, Default)]
pub(crate) struct Files(Mutex<VecDeque<File>>);

/// One result.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// Its name, made from its content, so that the same content has the same address.
    pub(crate) name: String,
    /// Its media type.
    pub(crate) media_type: &'static str,
    /// Its content.
    pub(crate) bytes: Bytes,
    /// The prompt that it came from, for faults that its words ask for.
    pub(crate) prompt: String,
}

impl Files {
    /// Keeps a file.
    pub(crate) fn keep(&self, file: File) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if files.iter().any(|kept| kept.name == file.name) {
            return;
        }
        if files.len() >= FILES_MAX {
            files.pop_front();
        }
        files.push_back(file);
    }

    /// The file with this name.
    pub(crate) fn find(&self, name: &str) -> Option<File> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.iter().find(|file| file.name == name).cloned()
    }
}
