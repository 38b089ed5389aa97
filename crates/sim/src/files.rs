//! Results that can be downloaded.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

/// Maximum number of files. The oldest ones are removed.
const FILES_MAX: usize = 1000;

/// Results by name.
#[derive(Debug, Default)]
pub(crate) struct Files(Mutex<VecDeque<File>>);

/// One result.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// The name, which is derived from the content, so the same content has the same address.
    pub(crate) name: String,
    /// The media type.
    pub(crate) media_type: &'static str,
    /// The content.
    pub(crate) bytes: Bytes,
    /// The prompt, which may contain a fault for downloads.
    pub(crate) prompt: String,
}

impl Files {
    /// Adds a file.
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
