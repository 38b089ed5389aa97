//! The image files that arguments name: files, folders, and patterns such as `photos/*.jpg`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use glob::MatchOptions;

use crate::cli::answer::Failure;

/// The extensions of image files in a folder.
const EXTENSIONS: [&str; 8] = ["jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff"];

/// `*.jpg` also means `.JPG`, as cameras write it. Hidden files must be named.
const MATCHING: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The files that `arguments` name, each once, in the order of the arguments and then by name.
///
/// # Errors
/// An argument that names no image.
pub(super) fn list(arguments: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let mut known = HashSet::new();
    let mut files = Vec::new();
    for argument in arguments {
        for file in named(argument)? {
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            if known.insert(real) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

fn named(argument: &str) -> Result<Vec<PathBuf>, Failure> {
    let path = Path::new(argument);
    let failed = |why: String| Failure::Failed(format!("{argument}: {why}"));
    if path.is_dir() {
        let files = in_folder(path).map_err(|error| failed(error.to_string()))?;
        return some(files, || failed("this folder has no images".to_owned()));
    }
    // A file's own name may look like a pattern.
    if path.exists() || !argument.contains(['*', '?', '[']) {
        return Ok(vec![path.to_owned()]);
    }
    let found = glob::glob_with(argument, MATCHING)
        .map_err(|error| Failure::Usage(format!("{argument}: not a pattern: {error}")))?;
    let files = found.collect::<Result<Vec<_>, _>>().map_err(|error| failed(error.to_string()))?;
    let files = files.into_iter().filter(|path| path.is_file()).collect();
    some(files, || failed("no file matches".to_owned()))
}

fn some(files: Vec<PathBuf>, none: impl FnOnce() -> Failure) -> Result<Vec<PathBuf>, Failure> {
    if files.is_empty() { Err(none()) } else { Ok(files) }
}

/// The images directly in `folder`, by name.
fn in_folder(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden =
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !is_hidden && is_image(&path) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn is_image(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|own| EXTENSIONS.iter().any(|known| own.eq_ignore_ascii_case(known)))
}
