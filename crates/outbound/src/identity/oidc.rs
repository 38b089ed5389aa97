//! An OpenID Connect client: users are sent to the provider and return with a code, which is
//! exchanged for an ID token (the code flow with PKCE).

use std::sync::{Arc, Mutex, PoisonError};

use base64_simd::{STANDARD, URL_SAFE_NO_PAD};
use http::StatusCode;
use retouch_core::Timestamp;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use url::Url;
use url::form_urlencoded::{self, Serializer};

use super::claims::{self, Address, Expected, VerifiedIdentity};
use super::discovery::{self, Discovery};
use super::signature::{self, KeySet};
use super::{IdentityError, TokenError};
use crate::client::{
    Answer, Auth, Body, Call, CallUrl, Client, ClientError, ClientLimits, Endpoint, Key,
    on_one_line,
};

/// Largest response, in bytes. Keys and tokens are a few kilobytes.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// Time limit for connecting, in milliseconds.
const CONNECT_MS_MAX: u64 = 5_000;
/// Longest pause in the middle of a response, in milliseconds.
const IDLE_MS_MAX: u64 = 5_000;
/// How long endpoints and keys are cached, in milliseconds (one hour). A token with an unknown key
/// has them fetched again earlier.
const KNOWN_MS_MAX: i64 = 3_600_000;
/// Maximum number of characters of an error's name that are passed on.
const ERROR_CHARS_MAX: usize = 60;

/// An OpenID Connect provider.
pub struct Oidc {
    client: Client,
    parts: OidcParts,
    discovery: Cached<Discovery>,
    keys: Cached<KeySet>,
}

/// What a client needs.
pub struct OidcParts {
    /// The issuer exactly as the provider writes it, usually a URL without a trailing slash.
    pub issuer: String,
    /// The client ID.
    pub client_id: String,
    /// The client secret. `None`: a public client that uses PKCE only.
    pub client_secret: Option<String>,
    /// Scopes to request in addition to `openid`.
    pub scopes: Vec<String>,
    /// Time limit for a response, in milliseconds.
    pub answer_ms_max: u64,
}

/// A sign-in request that a user is sent to the provider with.
#[derive(Clone, Copy, Debug)]
pub struct AuthorizationRequest<'a> {
    /// The address to which the provider sends the user back.
    pub redirect_uri: &'a str,
    /// Ties the request to the browser.
    pub state: &'a str,
    /// Ties the ID token to the request.
    pub nonce: &'a str,
    /// The PKCE code verifier (RFC 7636).
    pub verifier: &'a str,
    /// The time of the request, if the user must authenticate again.
    pub reauthenticate_since: Option<Timestamp>,
}

/// What the user brings back from the provider.
#[derive(Clone, Copy, Debug)]
pub struct AuthorizationResponse<'a> {
    /// The authorization code.
    pub code: &'a str,
    /// The issuer, if the provider adds it (RFC 9207).
    pub issuer: Option<&'a str>,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

#[derive(Deserialize)]
struct UserInfo {
    sub: String,
    #[serde(flatten)]
    address: Address,
}

impl Oidc {
    /// A client for the provider in `parts`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(base: Url, parts: OidcParts) -> Result<Self, ClientError> {
        let limits = ClientLimits {
            connect_ms_max: CONNECT_MS_MAX,
            answer_ms_max: parts.answer_ms_max,
            idle_ms_max: IDLE_MS_MAX,
            answer_bytes_max: ANSWER_BYTES_MAX,
        };
        // The client ID and the secret are each encoded before they are joined (RFC 6749, 2.3.1).
        let half =
            |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let key = parts.client_secret.as_ref().map(|secret| {
            let pair = format!("{}:{}", half(&parts.client_id), half(secret));
            Key::new(STANDARD.encode_to_string(pair))
        });
        let client = Client::new(Endpoint { base, key }, Auth::Scheme("Basic"), limits)?;
        Ok(Self { client, parts, discovery: Cached::default(), keys: Cached::default() })
    }

    /// The issuer.
    pub fn issuer(&self) -> &str {
        &self.parts.issuer
    }

    /// The URL to send the user to.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub async fn authorization_url(
        &self,
        request: &AuthorizationRequest<'_>,
        now: Timestamp,
    ) -> Result<Url, IdentityError> {
        let mut url = self.discovery(now).await?.authorization.clone();
        let challenge =
            URL_SAFE_NO_PAD.encode_to_string(digest(&SHA256, request.verifier.as_bytes()));
        let mut scope = "openid".to_owned();
        for one in self.parts.scopes.iter().filter(|one| *one != "openid") {
            scope.push(' ');
            scope.push_str(one);
        }
        let mut query = url.query_pairs_mut();
        query.extend_pairs([
            ("response_type", "code"),
            ("client_id", &self.parts.client_id),
            ("redirect_uri", request.redirect_uri),
            ("scope", &scope),
            ("state", request.state),
            ("nonce", request.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        if request.reauthenticate_since.is_some() {
            query.extend_pairs([("prompt", "login"), ("max_age", "0")]);
        }
        drop(query);
        Ok(url)
    }

    /// The identity that the provider confirms in response to `request`.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub async fn identity(
        &self,
        request: &AuthorizationRequest<'_>,
        response: &AuthorizationResponse<'_>,
        now: Timestamp,
    ) -> Result<VerifiedIdentity, IdentityError> {
        let discovery = self.discovery(now).await?;
        let is_named = response.issuer.map_or(!discovery.sends_issuer, |it| it == self.issuer());
        if !is_named {
            return Err(TokenError::Issuer.into());
        }
        let tokens = self.exchange(&discovery, request, response.code).await?;
        let claims = self.verified(&tokens.id_token, &discovery, now).await?;
        let expected = Expected {
            issuer: self.issuer(),
            client_id: &self.parts.client_id,
            nonce: request.nonce,
            proven_since: request.reauthenticate_since,
        };
        let identity = claims::check(&claims, &expected, now)?;
        match (&identity.email, &discovery.userinfo, tokens.access_token) {
            (None, Some(url), Some(token)) => self.ask_for_email(url, &token, identity).await,
            _ => Ok(identity),
        }
    }

    /// Checks whether the provider can be reached, at no cost, and describes what it offers.
    ///
    /// # Errors
    /// [`IdentityError`].
    pub async fn probe(&self, now: Timestamp) -> Result<String, IdentityError> {
        let discovery = self.discovery(now).await?;
        let keys = self.fetch_keys(&discovery, now).await?;
        match keys.len() {
            0 => Err(IdentityError::Unexpected("no key for RS256, ES256 or EdDSA".into())),
            count => Ok(format!("{} responds; keys: {count}", self.issuer())),
        }
    }

    async fn exchange(
        &self,
        discovery: &Discovery,
        request: &AuthorizationRequest<'_>,
        code: &str,
    ) -> Result<Tokens, IdentityError> {
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", request.redirect_uri),
            ("code_verifier", request.verifier),
        ];
        let secret = self.parts.client_secret.as_deref();
        let in_header = secret.is_some() && !discovery.secret_in_form;
        if !in_header {
            form.push(("client_id", &self.parts.client_id));
            form.extend(secret.map(|secret| ("client_secret", secret)));
        }
        let form = Serializer::new(String::new()).extend_pairs(form).finish();
        let call = Call::post("", Body::Fields(form));
        let call = Call { url: CallUrl::Absolute(discovery.token.clone()), ..call };
        let answer = self.client.send(&call, in_header).await?;
        read(&answer)
    }

    /// The claims of a token. If its key is unknown, the provider's keys are fetched again once.
    async fn verified(
        &self,
        token: &str,
        discovery: &Discovery,
        now: Timestamp,
    ) -> Result<Vec<u8>, IdentityError> {
        if let Some(keys) = self.keys.find(now) {
            match signature::verify(token, &keys) {
                Err(TokenError::KeyUnknown) => {}
                seen => return Ok(seen?),
            }
        }
        let keys = self.fetch_keys(discovery, now).await?;
        Ok(signature::verify(token, &keys)?)
    }

    /// Asks the userinfo endpoint for the email address if the token has none.
    async fn ask_for_email(
        &self,
        userinfo: &Url,
        token: &str,
        identity: VerifiedIdentity,
    ) -> Result<VerifiedIdentity, IdentityError> {
        let bearer = format!("Bearer {token}");
        let call = Call::get_url(userinfo.clone()).with_header("authorization", bearer);
        let said: UserInfo = read(&self.client.send(&call, false).await?)?;
        // A response about another subject must not be used (OpenID Connect Core, 5.3.2).
        if said.sub != identity.subject {
            return Err(TokenError::Subject.into());
        }
        Ok(identity.with(said.address))
    }

    async fn discovery(&self, now: Timestamp) -> Result<Arc<Discovery>, IdentityError> {
        if let Some(known) = self.discovery.find(now) {
            return Ok(known);
        }
        let answer = self.client.send(&Call::get(discovery::PATH), false).await?;
        succeeded(&answer)?;
        Ok(self.discovery.keep(Discovery::read(&answer.body, self.issuer())?, now))
    }

    async fn fetch_keys(
        &self,
        discovery: &Discovery,
        now: Timestamp,
    ) -> Result<Arc<KeySet>, IdentityError> {
        let call = Call::get_url(discovery.keys.clone());
        let answer = self.client.send(&call, false).await?;
        succeeded(&answer)?;
        let keys = KeySet::read(&answer.body).map_err(IdentityError::Unexpected)?;
        Ok(self.keys.keep(keys, now))
    }
}

/// A cached response of the provider, and when it arrived.
struct Cached<T>(Mutex<Option<(Timestamp, Arc<T>)>>);

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Cached<T> {
    fn find(&self, now: Timestamp) -> Option<Arc<T>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_ref().filter(|(since, _)| since.plus_ms(KNOWN_MS_MAX) > now);
        kept.map(|(_, it)| Arc::clone(it))
    }

    fn keep(&self, it: T, now: Timestamp) -> Arc<T> {
        let it = Arc::new(it);
        let kept = Some((now, Arc::clone(&it)));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        it
    }
}

fn read<'a, T: Deserialize<'a>>(answer: &'a Answer) -> Result<T, IdentityError> {
    succeeded(answer)?;
    // The cause may quote a token.
    let unexpected = |_| IdentityError::Unexpected("unexpected JSON".into());
    serde_json::from_slice(&answer.body).map_err(unexpected)
}

fn succeeded(answer: &Answer) -> Result<(), IdentityError> {
    #[derive(Default, Deserialize)]
    struct ErrorBody {
        #[serde(default)]
        error: String,
    }
    let status = answer.status;
    if status.is_success() {
        return Ok(());
    }
    let said: ErrorBody = serde_json::from_slice(&answer.body).unwrap_or_default();
    let said = format!("{}: {}", status.as_u16(), on_one_line(&said.error, ERROR_CHARS_MAX));
    match status {
        StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Err(IdentityError::Refused(said))
        }
        StatusCode::TOO_MANY_REQUESTS => Err(IdentityError::Unavailable(said)),
        _ if status.is_server_error() => Err(IdentityError::Unavailable(said)),
        _ => Err(IdentityError::Unexpected(said)),
    }
}
