//! Who vouches for people beside their passwords.

use url::Url;

use super::Secret;
use super::network::{is_in_the_clear, web_address};
use super::reader::Reader;

/// A hundred seconds, in milliseconds: nobody waits longer to be signed in.
const ANSWER_MS_MAX: i64 = 100_000;
/// Characters of the name on a button.
const NAME_CHARS_MAX: usize = 40;

/// The section `[oidc]`: a provider of OpenID Connect.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// The provider's name for itself, exactly as it writes it.
    pub issuer: String,
    /// The same as an address.
    pub base: Url,
    /// Its name for this service.
    pub client_id: String,
    /// What this service proves itself with, where it has to.
    pub client_secret: Option<Secret>,
    /// What people call it.
    pub name: String,
    /// What is asked for beside `openid`.
    pub scopes: Vec<String>,
    /// How long an answer may take, in milliseconds.
    pub answer_ms_max: u64,
    /// Whether a provider that was asked for a new proof and does not say when it had one is believed.
    pub accepts_missing_auth_time: bool,
}

impl OidcSettings {
    /// The settings, where there is an issuer; what it needs beside it has to be there then.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        const ISSUER: &str = "oidc.issuer";
        let answer_ms_max = reader.number("oidc.answer_ms_max", 1..=ANSWER_MS_MAX);
        let accepts_missing_auth_time = reader.required("oidc.missing_auth_time", acceptance);
        let scopes = reader.list("oidc.scopes", scope);
        let name = reader.optional("oidc.name", name);
        let client_id = reader.text("oidc.client_id").to_owned();
        let base = reader.optional(ISSUER, web_address)?;
        if is_in_the_clear(&base) {
            let message = "anybody on the way could sign in as anybody; use https://";
            reader.refuse(ISSUER, message);
        }
        if client_id.is_empty() {
            let missing = "missing: say by which name the provider knows this service";
            reader.refuse_because("oidc.client_id", missing, ISSUER);
        }
        Some(Self {
            issuer: reader.text(ISSUER).to_owned(),
            name: name.unwrap_or_else(|| base.host_str().unwrap_or_default().to_owned()),
            base,
            client_id,
            client_secret: reader.secret("oidc.client_secret"),
            scopes,
            answer_ms_max,
            accepts_missing_auth_time: accepts_missing_auth_time.unwrap_or(false),
        })
    }
}

fn acceptance(text: &str) -> Result<bool, String> {
    match text {
        "refuse" => Ok(false),
        "accept" => Ok(true),
        _ => Err("expected refuse or accept".to_owned()),
    }
}

fn scope(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    let right = !text.is_empty() && text.bytes().all(plain);
    if right { Ok(text.to_owned()) } else { Err("expected a scope such as email".to_owned()) }
}

fn name(text: &str) -> Result<String, String> {
    let right = text.chars().count() <= NAME_CHARS_MAX && !text.contains(char::is_control);
    let expected = || format!("expected a name of at most {NAME_CHARS_MAX} characters");
    if right { Ok(text.to_owned()) } else { Err(expected()) }
}
