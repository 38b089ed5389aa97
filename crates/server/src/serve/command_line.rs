//! Command lines that can be pasted into another terminal, in any folder.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use retouch_store::Database;

use crate::config::Settings;

/// `retouch ARGUMENTS` with everything it needs to find this server's data: the program's path unless
/// the shell finds it, the data folder, and the settings file. A database URL with a password is left
/// out.
pub(super) fn retouch(settings: &Settings, arguments: &str) -> String {
    let mut words = Vec::new();
    if let Database::File(path) = &settings.store.database {
        let data = &settings.store.data_dir;
        words.push(match settings.database_origin() {
            ("store.data_dir", _) => variable("RETOUCH_STORE__DATA_DIR", "", data),
            _ => variable("RETOUCH_STORE__DATABASE_URL", "sqlite:", path),
        });
    }
    words.push(program());
    if let Some(file) = &settings.file {
        words.push(format!("--config {}", quoted(&absolute(file).to_string_lossy())));
    }
    words.push(arguments.to_owned());
    words.join(" ")
}

fn variable(name: &str, scheme: &str, path: &Path) -> String {
    format!("{name}={}", quoted(&format!("{scheme}{}", absolute(path).display())))
}

/// `retouch` if the shell runs this program by that name, or else its path.
fn program() -> String {
    let Ok(own) = std::env::current_exe() else { return "retouch".to_owned() };
    let found = std::env::var_os("PATH").and_then(|path| find(&path));
    match found.and_then(|found| found.canonicalize().ok()) {
        Some(found) if Some(&found) == own.canonicalize().ok().as_ref() => "retouch".to_owned(),
        _ => quoted(&own.to_string_lossy()).into_owned(),
    }
}

fn find(path: &std::ffi::OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join("retouch")).find(|file| file.is_file())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// `word` as the shell reads it back.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/._-:=@%+,".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''")).into()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("/var/lib/retouch"), "/var/lib/retouch");
        assert_eq!(quoted("/srv/My data"), "'/srv/My data'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
