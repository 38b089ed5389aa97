//! An authorization request: a program sends a person's browser here to ask for access.

use retouch_store::Scopes;
use url::Url;

use super::client::{Client, is_own_machine};
use super::{OAuthError, issuer, known_scopes, resource};
use crate::app::App;
use crate::auth::provider::single;
use crate::error::ApiResult;

/// Characters of a PKCE challenge: SHA-256 in base64 (RFC 7636, 4.2).
const CHALLENGE_CHARS: usize = 43;

/// A request whose answer has a verified address. Until then, errors are shown here, so that this
/// server sends no one to an address of an attacker.
pub(crate) struct AuthorizationRequest {
    /// The program that asks.
    pub(crate) client: Client,
    /// The request as it was sent.
    pub(crate) query: String,
    /// Where the program wants the answer, as it was sent.
    pub(crate) redirect_uri: String,
    redirect: Url,
    state: Option<String>,
}

/// What a program asks for.
pub(crate) struct Asked {
    /// The PKCE challenge.
    pub(crate) challenge: String,
    /// What it would be allowed to do.
    pub(crate) scopes: Scopes,
}

impl AuthorizationRequest {
    /// The request in a query.
    ///
    /// # Errors
    /// If the program or the address for the answer cannot be verified.
    pub(crate) async fn of(app: &App, query: &str) -> ApiResult<Self> {
        let missing = |name: &str| {
            let description = format!(
                "Your assistant’s request is incomplete: `{name}` is missing or repeated. Connect \
                 it again from its settings."
            );
            OAuthError::new("invalid_request", description)
        };
        let id = single(query, "client_id").ok_or_else(|| missing("client_id"))?;
        let redirect_uri = single(query, "redirect_uri").ok_or_else(|| missing("redirect_uri"))?;
        let client = Client::find(app, &id).await?;
        let redirect = Url::parse(&redirect_uri).ok().filter(|_| client.accepts(&redirect_uri));
        let redirect = redirect.ok_or_else(|| {
            let description = "The address that the program wants you to be sent back to is not \
                               one that it has registered. Don’t continue if you came here by a \
                               link that someone sent you.";
            OAuthError::new("invalid_request", description)
        })?;
        let state = single(query, "state");
        Ok(Self { client, query: query.to_owned(), redirect_uri, redirect, state })
    }

    /// What the program asks for.
    ///
    /// # Errors
    /// What is wrong with it, for the program.
    pub(crate) fn asked(&self, app: &App) -> Result<Asked, OAuthError> {
        let field = |name: &str| single(&self.query, name);
        let refused = |name, description: &str| Err(OAuthError::new(name, description));
        if field("response_type").as_deref() != Some("code") {
            return refused("unsupported_response_type", "response_type must be code.");
        }
        if field("response_mode").is_some_and(|mode| mode != "query") {
            return refused("invalid_request", "response_mode must be query.");
        }
        // Without a method, the challenge would be the verifier itself.
        if field("code_challenge_method").as_deref() != Some("S256") {
            return refused("invalid_request", "code_challenge_method must be S256.");
        }
        let challenge = field("code_challenge").filter(|text| text.len() == CHALLENGE_CHARS);
        let Some(challenge) = challenge else {
            return refused("invalid_request", "code_challenge must be a SHA-256 in base64url.");
        };
        check_resource(app, &self.query)?;
        let scopes = known_scopes(&field("scope").unwrap_or_default());
        let scopes =
            scopes.ok_or_else(|| OAuthError::new("invalid_scope", "No scope is known."))?;
        Ok(Asked { challenge, scopes })
    }

    /// Where the browser is sent with an answer. It names this server, so that the program cannot
    /// take it for the answer of another one (RFC 9207).
    pub(crate) fn answer(&self, app: &App, fields: &[(&str, &str)]) -> String {
        let mut url = self.redirect.clone();
        let mut query = url.query_pairs_mut();
        query.extend_pairs(fields);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        query.append_pair("iss", &issuer(app));
        drop(query);
        url.into()
    }

    /// Where the browser is sent with an error.
    pub(crate) fn refusal(&self, app: &App, error: &OAuthError) -> String {
        let fields = [("error", error.name), ("error_description", &error.description)];
        self.answer(app, &fields)
    }

    /// The host that the browser is sent back to. None: a program on the person's own machine.
    pub(crate) fn host(&self) -> Option<&str> {
        self.redirect.host_str().filter(|_| !is_own_machine(&self.redirect))
    }
}

/// Checks that a request is for tokens of `/mcp`, if it says what they are for (RFC 8707).
pub(super) fn check_resource(app: &App, query: &str) -> Result<(), OAuthError> {
    let ours = resource(app);
    let is_ours = |text: &str| {
        let url = Url::parse(text).map(String::from).unwrap_or_default();
        let bare = url.trim_end_matches('/');
        bare == ours || bare == issuer(app)
    };
    let fields = form_urlencoded::parse(query.as_bytes());
    if fields.filter(|(name, _)| name == "resource").all(|(_, text)| is_ours(&text)) {
        return Ok(());
    }
    Err(OAuthError::new("invalid_target", format!("resource must be {ours}.")))
}
