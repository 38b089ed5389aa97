//! Files for results: their names, their formats, and how they are written.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use retouch_engine::codec::{Encoded, Encoding};
use retouch_engine::{Picture, codec};

use crate::cli::answer::Failure;

/// The warning about a result that lost its transparency.
pub(super) const FLATTENED: &str = "JPEG has no transparency; transparent parts are white";

/// The format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum OutputFormat {
    /// PNG, which keeps every pixel.
    Png,
    /// JPEG, which is smaller and has no transparency.
    Jpeg,
    /// WebP without loss.
    WebP,
}

impl OutputFormat {
    const ALL: [Self; 3] = [Self::Png, Self::Jpeg, Self::WebP];

    /// The format of files with this extension.
    fn of(extension: &str) -> Option<Self> {
        let has_it = |format: &Self| {
            format.extensions().iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        Self::ALL.into_iter().find(has_it)
    }

    /// The format that the name of a file says.
    pub(super) fn of_file(file: &Path) -> Option<Self> {
        file.extension().and_then(|extension| extension.to_str()).and_then(Self::of)
    }

    /// The extensions of such files, the usual one first.
    const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Png => &["png"],
            Self::Jpeg => &["jpg", "jpeg"],
            Self::WebP => &["webp"],
        }
    }

    /// How results are encoded.
    pub(super) fn encoding(self) -> Encoding {
        match self {
            Self::Png => Encoding::Png,
            Self::Jpeg => Encoding::jpeg(None),
            Self::WebP => Encoding::WebP,
        }
    }
}

impl FromStr for OutputFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(|format| format.to_string()).join(", ");
        Self::of(text).ok_or_else(|| format!("expected one of {}", names()))
    }
}

impl fmt::Display for OutputFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::WebP => "webp",
        })
    }
}

/// The format and the file of the result of `input` in `folder`: the input's name, with another
/// extension if the format is another one. Without `format`, it is the input's format, or PNG if
/// results cannot have that one.
pub(super) fn result_of(
    input: &Path,
    folder: &Path,
    format: Option<OutputFormat>,
) -> (OutputFormat, PathBuf) {
    let own = OutputFormat::of_file(input);
    let format = format.or(own).unwrap_or(OutputFormat::Png);
    let file = folder.join(input.file_name().unwrap_or_default());
    let extension = format.extensions().first().copied().unwrap_or_default();
    let file = if own == Some(format) { file } else { file.with_extension(extension) };
    (format, file)
}

/// Encodes a result.
pub(super) fn encode(picture: &Picture, format: OutputFormat) -> Result<Encoded, String> {
    codec::encode(picture, format.encoding()).map_err(|error| error.to_string())
}

/// Creates the folder for results.
pub(super) fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| {
        Failure::Failed(format!("cannot create the folder {}: {error}", folder.display()))
    })
}

/// Saves a result, replacing an existing file.
pub(super) fn save(to: &Path, bytes: &[u8]) -> Result<(), String> {
    let part = part(to);
    finish(to, &part, fs::write(&part, bytes).and_then(|()| fs::rename(&part, to)))
}

/// Saves a result in a file that must not exist yet.
pub(super) fn save_new(to: &Path, bytes: &[u8]) -> Result<(), String> {
    if to.exists() {
        return Err(format!("{} already exists", to.display()));
    }
    save(to, bytes)
}

/// The temporary file, renamed when it is complete, so that a full disk leaves no half-written image.
fn part(to: &Path) -> PathBuf {
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    part.into()
}

fn finish(to: &Path, part: &Path, written: io::Result<()>) -> Result<(), String> {
    written.map_err(|error| {
        // Best effort: the write has already failed.
        let _ = fs::remove_file(part);
        format!("cannot save {}: {error}", to.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_the_name_of_its_input() {
        let name = |input: &str, format: Option<OutputFormat>| {
            result_of(Path::new(input), Path::new("out"), format).1.display().to_string()
        };
        assert_eq!(name("photos/a.PNG", None), "out/a.PNG");
        assert_eq!(name("photos/a.b.tiff", None), "out/a.b.png");
        assert_eq!(name("photos/a.jpeg", None), "out/a.jpeg");
        assert_eq!(name("photos/a.jpeg", Some(OutputFormat::WebP)), "out/a.webp");
        assert_eq!(name("photos/a", Some(OutputFormat::Png)), "out/a.png");
    }
}
