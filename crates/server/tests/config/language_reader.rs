//! What the section `[reader]` accepts.

use super::{load, refused};

const SERVER: (&str, &str) = ("RETOUCH_READER__BASE_URL", "http://localhost:11434/v1");
const MODEL: (&str, &str) = ("RETOUCH_READER__MODEL", "qwen3:8b");

#[test]
fn without_a_server_no_language_model_reads() {
    assert!(load(&[]).unwrap().reader.is_none());
    assert!(load(&[MODEL]).unwrap().reader.is_none());
}

#[test]
fn a_server_needs_a_model_and_no_key() {
    let reader = load(&[SERVER, MODEL]).unwrap().reader.unwrap();
    assert_eq!((reader.base_url.as_str(), reader.model.as_str()), (SERVER.1, MODEL.1));
    assert!(reader.api_key.is_none());
    assert!(refused(&[SERVER]).contains("reader.model: missing"));
    for (name, value, expected) in [
        ("RETOUCH_READER__BASE_URL", "localhost:11434", "expected an address"),
        ("RETOUCH_READER__API_KEY", "two words", "expected an API key on one line"),
        ("RETOUCH_READER__ANSWER_TIME_MAX", "5 min", "expected 100 ms to 2 min"),
        ("RETOUCH_READER__CONCURRENT_MAX", "0", "expected 1 to"),
    ] {
        let usual = [SERVER, MODEL].into_iter().filter(|(own, _)| *own != name);
        let all: Vec<_> = usual.chain([(name, value)]).collect();
        let said = refused(&all);
        assert!(said.contains(expected), "{value}: {said}");
    }
}

#[test]
fn its_key_is_not_shown() {
    let shown = format!("{:?}", load(&[SERVER, MODEL, ("RETOUCH_READER__API_KEY", "hunter22")]));
    assert!(!shown.contains("hunter22"), "{shown}");
}
