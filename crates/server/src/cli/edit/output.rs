//! Files for results: their names, their formats, and how they are written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use retouch_core::image::{Encoding, OutputFormat};
use retouch_engine::codec::Encoded;
use retouch_engine::{Picture, Plan, codec};
use retouch_providers::Media;
use retouch_providers::built_in::plan;

use crate::cli::answer::Failure;

/// The warning about a result that lost its transparency.
const FLATTENED: &str = "JPEG has no transparency; transparent parts are white";

/// Reads the name of a format, or an extension of its files.
pub(in crate::cli) fn format(text: &str) -> Result<OutputFormat, String> {
    let name = text.to_ascii_lowercase();
    let found = OutputFormat::parse(if name == "jpg" { "jpeg" } else { &name });
    found.ok_or_else(|| {
        format!("expected one of {}", OutputFormat::ALL.map(OutputFormat::as_str).join(", "))
    })
}

/// The format that the name of a file says.
pub(super) fn format_of(file: &Path) -> Option<OutputFormat> {
    let extension = file.extension()?.to_str()?;
    format(extension).ok()
}

/// How the codec encodes a result.
pub(super) fn of_codec(Encoding { format, compression }: Encoding) -> codec::Encoding {
    Media::of_format(format).encoding(compression).unwrap_or(codec::Encoding::Png)
}

/// The format and the file of the result of `input` in `folder`: the input's name, with another
/// extension if the format is another one. Without `format`, it is the input's format, or PNG if
/// results cannot have that one.
pub(super) fn result_of(
    input: &Path,
    folder: &Path,
    format: Option<OutputFormat>,
) -> (OutputFormat, PathBuf) {
    let own = format_of(input);
    let format = format.or(own).unwrap_or(OutputFormat::Png);
    let file = folder.join(input.file_name().unwrap_or_default());
    let extension = Media::of_format(format).extension().trim_start_matches('.');
    let file = if own == Some(format) { file } else { file.with_extension(extension) };
    (format, file)
}

/// Encodes the result of `plan`.
pub(in crate::cli) fn encode(
    picture: &Picture,
    encoding: Encoding,
    plan: &Plan,
) -> Result<Encoded, String> {
    let encoded = codec::encode_within(picture, of_codec(encoding), plan::file_rules(plan));
    encoded.map_err(|error| error.to_string())
}

/// What was lost when a result was encoded.
pub(in crate::cli) fn lost(encoded: &Encoded) -> Vec<String> {
    let flattened = encoded.flattened.then(|| FLATTENED.to_owned());
    flattened.into_iter().chain(encoded.reduced_to.map(plan::reduced)).collect()
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
pub(in crate::cli) fn save_new(to: &Path, bytes: &[u8]) -> Result<(), String> {
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
