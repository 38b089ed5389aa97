//! The provider's endpoints, from its discovery document (OpenID Connect Discovery, 4).

use serde::Deserialize;
use url::Url;

use super::IdentityError;

/// The path of the discovery document, below the issuer.
pub(super) const PATH: &str = "/.well-known/openid-configuration";

/// The contents of the discovery document.
#[derive(Clone, Debug)]
pub(super) struct Discovery {
    /// The authorization endpoint, where users sign in.
    pub(super) authorization: Url,
    /// The token endpoint, which exchanges codes.
    pub(super) token: Url,
    /// The address of the provider's keys.
    pub(super) keys: Url,
    /// The userinfo endpoint.
    pub(super) userinfo: Option<Url>,
    /// Whether the client's secret must be sent in the form, because the provider does not accept
    /// it in a header.
    pub(super) secret_in_form: bool,
    /// Whether the provider adds its issuer when users return (RFC 9207).
    pub(super) sends_issuer: bool,
}

#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl Discovery {
    /// Parses the discovery document of `issuer`.
    ///
    /// # Errors
    /// [`IdentityError::Unexpected`]. Also when the document names another issuer, or an endpoint
    /// is less protected than the issuer.
    pub(super) fn read(json: &[u8], issuer: &str) -> Result<Self, IdentityError> {
        let document: Document =
            serde_json::from_slice(json).map_err(|error| unexpected(&error))?;
        if document.issuer != issuer {
            let problem =
                format!("the provider reports the issuer {:?}, not {issuer:?}", document.issuer);
            return Err(IdentityError::Unexpected(problem));
        }
        let address = |text: &str| address(text, issuer);
        let methods = document.token_endpoint_auth_methods_supported.unwrap_or_default();
        let accepts = |method: &str| methods.iter().any(|known| known == method);
        Ok(Self {
            authorization: address(&document.authorization_endpoint)?,
            token: address(&document.token_endpoint)?,
            keys: address(&document.jwks_uri)?,
            userinfo: document.userinfo_endpoint.as_deref().map(address).transpose()?,
            secret_in_form: accepts("client_secret_post") && !accepts("client_secret_basic"),
            sends_issuer: document.authorization_response_iss_parameter_supported,
        })
    }
}

fn address(text: &str, issuer: &str) -> Result<Url, IdentityError> {
    let url = Url::parse(text).map_err(|error| unexpected(&error))?;
    let is_safe =
        url.scheme() == "https" || (url.scheme() == "http" && issuer.starts_with("http:"));
    if is_safe { Ok(url) } else { Err(unexpected(&format!("{text:?} is not an https URL"))) }
}

fn unexpected(error: &impl ToString) -> IdentityError {
    IdentityError::Unexpected(error.to_string())
}
