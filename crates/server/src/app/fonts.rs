//! Fonts that the operator adds in the settings.

use std::io;
use std::path::{Path, PathBuf};

use retouch_engine::FontError;
use thiserror::Error;

/// Why a font cannot be used.
#[derive(Debug, Error)]
pub enum FontUnusable {
    /// The file cannot be read.
    #[error("{path} cannot be read: {cause}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        cause: io::Error,
    },
    /// The font cannot be used to draw text.
    #[error("{path} cannot be used: {cause}")]
    Unusable {
        /// The file.
        path: String,
        /// Why.
        cause: FontError,
    },
}

/// Adds the font files at `paths` for the whole process.
///
/// # Errors
/// If one of them cannot be used; then none is added.
pub(crate) fn add(paths: &[PathBuf]) -> Result<(), FontUnusable> {
    if paths.is_empty() {
        return Ok(());
    }
    let files: Vec<_> = paths.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    let path = |position: usize| paths.get(position).map(|path| path.display().to_string());
    retouch_engine::add_fonts(files).map_err(|(position, cause)| FontUnusable::Unusable {
        path: path(position).unwrap_or_default(),
        cause,
    })
}

fn read(path: &Path) -> Result<Vec<u8>, FontUnusable> {
    std::fs::read(path)
        .map_err(|cause| FontUnusable::Unreadable { path: path.display().to_string(), cause })
}
