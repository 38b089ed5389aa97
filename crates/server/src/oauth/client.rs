//! Programs that ask for access, known by their client IDs.
//!
//! A client ID says everything about its program, so nothing is stored before someone agrees. It is
//! either the address of a document (OAuth Client ID Metadata Document, draft 02) or the description
//! itself in base64, which registration returns (RFC 7591, appendix A.5.2). The latter needs no
//! signature, because anyone may register anything. People decide by the address that they are sent
//! back to, which is where the code goes.

use base64_simd::URL_SAFE_NO_PAD;
use retouch_outbound::fetch::Caps;
use serde::{Deserialize, Serialize};
use url::Url;

use super::OAuthError;
use crate::app::App;
use crate::http::host::names_loopback;

/// The maximum length of a client ID in bytes. It has to fit into addresses.
const ID_BYTES_MAX: usize = 2_000;
/// The maximum length of a name on our pages, in characters.
const NAME_CHARS_MAX: usize = 60;
/// A document may have this many bytes and take this many milliseconds.
const DOCUMENT: Caps =
    Caps { accept: "application/json", bytes_max: 10 * 1024, total_ms_max: 5_000 };

/// What a program says about itself. Other fields do not matter here.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Description {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) client_name: Option<String>,
    pub(super) redirect_uris: Vec<String>,
}

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// Its client ID.
    pub(crate) id: String,
    /// What it calls itself, in a form that pages can show.
    pub(crate) name: String,
    /// The host of its document, which vouches for the name. None if the program registered.
    pub(crate) host: Option<String>,
    redirect_uris: Vec<String>,
}

impl Description {
    /// The description without addresses that no one may be sent to.
    ///
    /// # Errors
    /// If none is left.
    pub(super) fn checked(mut self) -> Result<Self, OAuthError> {
        self.redirect_uris.retain(|uri| is_redirect(uri));
        if self.redirect_uris.is_empty() {
            let description = "`redirect_uris` needs an https address, or an http address of the \
                               program's own machine such as http://127.0.0.1/callback. Neither \
                               may have a user name or a fragment.";
            return Err(OAuthError::new("invalid_redirect_uri", description));
        }
        Ok(self)
    }

    /// The client ID that stands for the description.
    ///
    /// # Errors
    /// If it would be too long.
    pub(super) fn to_id(&self) -> Result<String, OAuthError> {
        let json = serde_json::to_vec(self).unwrap_or_default();
        let id = URL_SAFE_NO_PAD.encode_to_string(json);
        if id.len() > ID_BYTES_MAX {
            let description = "The name and the addresses are too long. Register fewer of them.";
            return Err(OAuthError::new("invalid_client_metadata", description));
        }
        Ok(id)
    }
}

impl Client {
    /// The program with this client ID.
    ///
    /// # Errors
    /// If there is no such program, or its document cannot be read.
    pub(crate) async fn find(app: &App, id: &str) -> Result<Self, OAuthError> {
        let unknown = || {
            let description = "This client ID is not known here. Remove the connection in your \
                               assistant and add it again.";
            OAuthError::new("invalid_client", description)
        };
        if id.len() > ID_BYTES_MAX {
            return Err(unknown());
        }
        if id.contains(':') {
            return Self::published(app, id).await;
        }
        let json = URL_SAFE_NO_PAD.decode_to_vec(id).map_err(|_| unknown())?;
        let description = serde_json::from_slice::<Description>(&json).map_err(|_| unknown())?;
        Ok(Self::of(id, None, description.checked()?))
    }

    /// The program that the document at `id` describes.
    async fn published(app: &App, id: &str) -> Result<Self, OAuthError> {
        let refused = |description: &str| OAuthError::new("invalid_client", description);
        let url = Url::parse(id).ok().filter(|url| {
            let is_plain = url.query().is_none() && url.fragment().is_none();
            is_plain && url.path() != "/" && url.as_str() == id
        });
        let url = url.ok_or_else(|| {
            refused("A client ID that is an address needs a path and no query or fragment.")
        })?;
        let now = app.clock.now();
        if let Some(client) = app.documents.find(id, now) {
            return Ok(client);
        }
        let read = app.hooks.document(&url, DOCUMENT).await.ok();
        let found =
            read.and_then(|it| Some((serde_json::from_slice(&it.bytes).ok()?, it.fresh_for)));
        let (description, fresh_for): (Description, _) = found.ok_or_else(|| {
            refused(
                "The document that describes this program could not be read. It must be a public \
                 https address that answers within 5 seconds, without a redirect, with at most \
                 10 KB of JSON.",
            )
        })?;
        if description.client_id.as_deref() != Some(id) {
            return Err(refused("The document at the client ID is about another program."));
        }
        let host = url.host_str().map(ToOwned::to_owned);
        let client = Self::of(id, host, description.checked()?);
        app.documents.keep(&client, now, fresh_for);
        Ok(client)
    }

    fn of(id: &str, host: Option<String>, description: Description) -> Self {
        let name = shown_name(description.client_name.as_deref().unwrap_or_default());
        Self { id: id.to_owned(), name, host, redirect_uris: description.redirect_uris }
    }

    /// Whether the program may have codes sent to `uri`: an address that it has named. Programs on
    /// the person's own machine choose the port when they start (RFC 8252, 7.3).
    pub(super) fn accepts(&self, uri: &str) -> bool {
        let asked = without_port(uri);
        is_redirect(uri)
            && self
                .redirect_uris
                .iter()
                .any(|known| known == uri || asked.is_some() && without_port(known) == asked)
    }
}

/// Whether a program may have codes sent to an address like this.
fn is_redirect(uri: &str) -> bool {
    let Ok(url) = Url::parse(uri) else { return false };
    let is_safe = match url.scheme() {
        "https" => url.has_host(),
        _ => is_own_machine(&url),
    };
    // The parser removes line breaks and tabs.
    is_safe
        && uri.bytes().all(|byte| byte.is_ascii_graphic())
        && url.username().is_empty()
        && url.password().is_none()
        && url.fragment().is_none()
}

/// Whether an address leads to a program on the person's own machine.
pub(super) fn is_own_machine(url: &Url) -> bool {
    url.scheme() == "http" && url.host_str().is_some_and(names_loopback)
}

/// An address of the person's own machine without its port.
fn without_port(uri: &str) -> Option<Url> {
    let mut url = Url::parse(uri).ok().filter(is_own_machine)?;
    url.set_port(None).ok()?;
    Some(url)
}

/// A name without characters that are invisible or reverse the text around them.
fn shown_name(name: &str) -> String {
    let is_shown = |letter: &char| {
        !letter.is_control()
            && !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let shown: String = name.chars().filter(is_shown).take(NAME_CHARS_MAX).collect();
    match shown.trim() {
        "" => "Unnamed assistant".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Client, Description, is_redirect, shown_name};

    fn client(uris: &[&str]) -> Client {
        let redirect_uris = uris.iter().map(|uri| (*uri).to_owned()).collect();
        let description = Description { client_id: None, client_name: None, redirect_uris };
        Client::of("x", None, description)
    }

    #[test]
    fn codes_go_to_https_or_to_the_own_machine() {
        for (uri, good) in [
            ("https://claude.ai/api/mcp/auth_callback", true),
            ("https://example.com:8443/a?b=c", true),
            ("http://127.0.0.1/callback", true),
            ("http://localhost:33418", true),
            ("http://[::1]:9/x", true),
            ("http://example.com/callback", false),
            ("http://localhost.example.com/", false),
            ("https://user@example.com/", false),
            ("https://example.com/#x", false),
            ("https://example.com/\n", false),
            ("https://exämple.com/", false),
            ("cursor://anysphere.cursor-mcp/oauth/callback", false),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("/callback", false),
            ("", false),
        ] {
            assert_eq!(is_redirect(uri), good, "{uri}");
        }
    }

    #[test]
    fn an_address_is_compared_exactly_but_for_ports_of_the_own_machine() {
        let known = client(&["https://a.example/cb", "http://127.0.0.1:1/cb?x=y"]);
        for (uri, good) in [
            ("https://a.example/cb", true),
            ("http://127.0.0.1:1/cb?x=y", true),
            ("http://127.0.0.1:65000/cb?x=y", true),
            ("http://127.0.0.1/cb?x=y", true),
            ("http://localhost:1/cb?x=y", false),
            ("http://127.0.0.1:1/cb", false),
            ("https://a.example:8443/cb", false),
            ("https://a.example/cb/", false),
            ("https://a.example/cb?x=y", false),
            ("https://A.example/cb", false),
            ("https://a.example.evil.example/cb", false),
        ] {
            assert_eq!(known.accepts(uri), good, "{uri}");
        }
    }

    #[test]
    fn a_name_shows_what_it_says() {
        assert_eq!(shown_name(" Claude\u{202e}\n "), "Claude");
        assert_eq!(shown_name("\u{200b}"), "Unnamed assistant");
        assert_eq!(shown_name(&"x".repeat(500)).len(), 60);
    }
}
