//! The language model that reads what the built-in editor refuses.

use url::Url;

use super::Secret;
use super::duration::MINUTE_MS;
use super::network::web_address;
use super::reader::Reader;

/// The shortest time limit for an answer, in milliseconds.
const ANSWER_MS_MIN: u64 = 100;
/// The longest time limit for an answer, in milliseconds. Callers wait for it.
const ANSWER_MS_MAX: u64 = 2 * MINUTE_MS;

/// The section `[reader]`: a chat server that speaks OpenAI's protocol.
#[derive(Clone, Debug)]
pub struct LanguageReaderSettings {
    /// The base URL of its API.
    pub base_url: Url,
    /// Its API key, if it needs one.
    pub api_key: Option<Secret>,
    /// The name of the model.
    pub model: String,
    /// Time limit for an answer, including waiting for a turn, in milliseconds.
    pub answer_ms_max: u64,
    /// Maximum number of concurrent calls.
    pub concurrent_max: usize,
    /// How many answers to keep.
    pub cached_max: usize,
}

impl LanguageReaderSettings {
    /// The settings, if there is a server. The name of the model must then be present.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        const BASE_URL: &str = "reader.base_url";
        const API_KEY: &str = "reader.api_key";
        const MODEL: &str = "reader.model";
        let answer_ms_max =
            reader.duration("reader.answer_time_max", ANSWER_MS_MIN..=ANSWER_MS_MAX);
        let concurrent_max = reader.number("reader.concurrent_max", 1..=10_000);
        let cached_max = reader.number("reader.cached_max", 0..=100_000);
        let model = reader.text(MODEL).to_owned();
        let api_key = reader.secret(API_KEY);
        if api_key.as_ref().is_some_and(|secret| !secret.fits_a_header()) {
            let expected = "expected an API key on one line, in ASCII and without spaces";
            reader.refuse(API_KEY, expected);
        }
        let base_url = reader.optional(BASE_URL, web_address)?;
        if model.is_empty() {
            let missing = "missing: set the name of the model at this server";
            reader.refuse_because(MODEL, missing, BASE_URL);
        }
        Some(Self { base_url, api_key, model, answer_ms_max, concurrent_max, cached_max })
    }
}
