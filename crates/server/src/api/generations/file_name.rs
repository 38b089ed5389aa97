//! The file names under which results are downloaded.

use retouch_store::EditRecord;

/// The maximum length of a name without its extension, in Unicode scalar values.
const STEM_CHARS_MAX: usize = 80;
/// The extensions that a name loses, because the file that it names gets its own.
const EXTENSIONS: [&str; 12] =
    ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "heic", "heif", "avif", "mp4"];

/// The name of the result of `edit` without its extension: what its owner calls it, or else the
/// name of the input, or else the start of its id.
pub(crate) fn stem(edit: &EditRecord) -> String {
    let given = [&edit.name, &edit.input_name];
    let given = given.into_iter().flatten().map(|name| cleaned(without_extension(name)));
    given.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| {
        let id = edit.id.to_string();
        format!("retouch-{}", id.get(..8).unwrap_or(&id))
    })
}

/// The extension of a stored file, with its dot.
pub(crate) fn extension(blob: &str) -> &str {
    blob.rfind('.').and_then(|dot| blob.get(dot..)).unwrap_or_default()
}

fn without_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, end)) if EXTENSIONS.iter().any(|it| it.eq_ignore_ascii_case(end)) => stem,
        _ => name,
    }
}

/// `name` without what file systems do not accept.
fn cleaned(name: &str) -> String {
    let is_odd = |letter: char| {
        letter.is_control()
            || matches!(letter, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
    };
    let name: String =
        name.chars().map(|it| if is_odd(it) { '-' } else { it }).take(STEM_CHARS_MAX).collect();
    name.trim_matches([' ', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{cleaned, extension, without_extension};

    #[test]
    fn names_suit_every_file_system() {
        for (given, stem) in [
            ("photo.JPG", "photo"),
            ("v1.2 draft", "v1.2 draft"),
            ("../../etc/passwd", "-..-etc-passwd"),
            ("a:b*c?.png", "a-b-c-"),
            (" .hidden. ", "hidden"),
            ("…", "…"),
        ] {
            assert_eq!(cleaned(without_extension(given)), stem);
        }
        assert_eq!(extension("0a1b.mp4"), ".mp4");
    }
}
