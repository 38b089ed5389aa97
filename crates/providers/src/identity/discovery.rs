//! Where a provider's addresses are, as it says itself (OpenID Connect Discovery, 4).

use serde::Deserialize;
use url::Url;

use super::IdentityError;

/// Where what a provider says of itself is, below its issuer.
pub(super) const PATH: &str = "/.well-known/openid-configuration";

/// What a provider says of itself.
#[derive(Clone, Debug)]
pub(super) struct Discovery {
    /// Where people sign in.
    pub(super) authorization: Url,
    /// Where a code is exchanged.
    pub(super) token: Url,
    /// Where its keys are.
    pub(super) keys: Url,
    /// Where it says more of whom it vouches for.
    pub(super) userinfo: Option<Url>,
    /// Whether the client's secret goes into the form, because no header is taken.
    pub(super) secret_in_form: bool,
    /// Whether it names itself when people come back (RFC 9207).
    pub(super) names_itself: bool,
}

#[derive(Deserialize)]
struct Said {
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
    /// Reads what the provider `issuer` says of itself.
    ///
    /// # Errors
    /// [`IdentityError::Unexpected`]: also where it calls itself otherwise, or an address would be
    /// reached with less protection than the issuer's.
    pub(super) fn read(json: &[u8], issuer: &str) -> Result<Self, IdentityError> {
        let said: Said = serde_json::from_slice(json).map_err(|error| unexpected(&error))?;
        if said.issuer != issuer {
            let said = format!("the issuer calls itself {:?}, not {issuer:?}", said.issuer);
            return Err(IdentityError::Unexpected(said));
        }
        let address = |text: &str| address(text, issuer);
        let methods = said.token_endpoint_auth_methods_supported.unwrap_or_default();
        let takes = |method: &str| methods.iter().any(|known| known == method);
        Ok(Self {
            authorization: address(&said.authorization_endpoint)?,
            token: address(&said.token_endpoint)?,
            keys: address(&said.jwks_uri)?,
            userinfo: said.userinfo_endpoint.as_deref().map(address).transpose()?,
            secret_in_form: takes("client_secret_post") && !takes("client_secret_basic"),
            names_itself: said.authorization_response_iss_parameter_supported,
        })
    }
}

fn address(text: &str, issuer: &str) -> Result<Url, IdentityError> {
    let url = Url::parse(text).map_err(|error| unexpected(&error))?;
    let is_safe =
        url.scheme() == "https" || (url.scheme() == "http" && issuer.starts_with("http:"));
    if is_safe { Ok(url) } else { Err(unexpected(&format!("{text:?} is not an https address"))) }
}

fn unexpected(error: &impl ToString) -> IdentityError {
    IdentityError::Unexpected(error.to_string())
}
