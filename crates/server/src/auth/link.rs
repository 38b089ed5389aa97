//! The one-time link for the first administrator. It is printed on the operator's terminal, so only
//! the operator can use it, and not simply the first visitor.

use retouch_core::Ids;
use retouch_store::{Error, Store};
use url::Url;

use super::secret::SessionToken;

/// The path of the link.
pub const PATH: &str = "/first-administrator";

/// Creates a new link below `base`, which replaces earlier ones; none if there already is an
/// administrator.
///
/// # Errors
/// Errors of the store.
pub async fn create(store: &Store, ids: &Ids, base: &Url) -> Result<Option<String>, Error> {
    // Like a session's token, it has 256 random bits and is stored as a hash.
    let token = SessionToken::new(ids);
    let until = store.create_admin_link(token.hash()).await?;
    let base = base.as_str().trim_end_matches('/');
    Ok(until.map(|_| format!("{base}{PATH}?token={}", token.reveal())))
}

/// The hash under which a link is stored, if `text` has the form of its token.
pub fn hash(text: &str) -> Option<[u8; 32]> {
    SessionToken::check(text)
}
