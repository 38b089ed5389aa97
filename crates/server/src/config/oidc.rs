//! Sign-in with an OpenID Connect provider.

use url::Url;

use super::Secret;
use super::duration::SECOND_MS;
use super::network::{is_in_the_clear, web_address};
use super::reader::Reader;

/// A hundred seconds, in milliseconds: the longest that someone would wait to sign in.
const ANSWER_MS_MAX: u64 = 100 * SECOND_MS;
/// Maximum length of the name on the button, in characters.
const NAME_CHARS_MAX: usize = 40;

/// The section `[oidc]`: an OpenID Connect provider.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// The issuer, exactly as the provider writes it.
    pub issuer: String,
    /// The issuer as a URL.
    pub base: Url,
    /// The client ID.
    pub client_id: String,
    /// The client secret; none for a public client.
    pub client_secret: Option<Secret>,
    /// The provider's name on the button.
    pub name: String,
    /// Scopes to request in addition to `openid`.
    pub scopes: Vec<String>,
    /// Time limit for a response, in milliseconds.
    pub answer_ms_max: u64,
    /// Whether to trust a new sign-in for which the provider does not report a time (`auth_time`).
    pub accepts_missing_auth_time: bool,
}

impl OidcSettings {
    /// The settings, if there is an issuer. The other required settings must then be present.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        const ISSUER: &str = "oidc.issuer";
        let answer_ms_max = reader.duration("oidc.answer_time_max", 1..=ANSWER_MS_MAX);
        let accepts_missing_auth_time = reader.required("oidc.missing_auth_time", acceptance);
        let scopes = reader.list("oidc.scopes", scope);
        let name = reader.optional("oidc.name", name);
        let client_id = reader.text("oidc.client_id").to_owned();
        let base = reader.optional(ISSUER, web_address)?;
        if is_in_the_clear(&base) {
            let message = "without encryption, an attacker on the network could sign in as any \
                           user; use https://";
            reader.refuse(ISSUER, message);
        }
        if client_id.is_empty() {
            let missing = "missing: set the client ID that the provider gave you";
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
