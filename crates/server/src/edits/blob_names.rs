//! The names of an edit's files. A process that takes over an edit stores the result under a new
//! name, so that it cannot overwrite or remove what another process has stored and charged for:
//! `TOKEN.mp4`, then `TOKEN-2.mp4` and so on. They all share one stored request,
//! `TOKEN.mp4.request`.

/// The name for the result when another process takes over the edit from `blob`.
pub(super) fn next(blob: &str) -> String {
    let (stem, extension) = split(blob);
    let before = stem.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
    let number = before.unwrap_or(1_u64).saturating_add(1);
    format!("{}-{number}{extension}", token(blob))
}

/// The part of the name that all attempts share.
pub(super) fn token(blob: &str) -> &str {
    let (stem, _) = split(blob);
    stem.split_once('-').map_or(stem, |(token, _)| token)
}

/// The name without its extension, and the extension with its dot.
fn split(blob: &str) -> (&str, &str) {
    blob.split_at(blob.rfind('.').unwrap_or(blob.len()))
}

#[cfg(test)]
mod tests {
    use super::{next, token};

    #[test]
    fn each_attempt_has_a_name_of_its_own_with_the_same_token() {
        let first = "0a1b.mp4";
        let second = next(first);
        let third = next(&second);
        assert_eq!((second.as_str(), third.as_str()), ("0a1b-2.mp4", "0a1b-3.mp4"));
        for name in [first, &second, &third] {
            assert_eq!(token(name), "0a1b");
        }
    }
}
