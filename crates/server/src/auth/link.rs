//! The one-time link by which somebody becomes the first administrator: who can read what the
//! operator's terminal shows, not who comes first.

use retouch_core::Ids;
use retouch_store::{Error, Store};
use url::Url;

use super::secret::SessionToken;

/// Where the link leads.
pub const PATH: &str = "/first-administrator";

/// A new link on `base`, in place of earlier ones; none where there is an administrator.
///
/// # Errors
/// Faults of the store.
pub async fn create(store: &Store, ids: &Ids, base: &Url) -> Result<Option<String>, Error> {
    // As many random bits as a session has, and kept as a hash like one.
    let token = SessionToken::new(ids);
    let until = store.create_admin_link(token.hash()).await?;
    let base = base.as_str().trim_end_matches('/');
    Ok(until.map(|_| format!("{base}{PATH}?token={}", token.reveal())))
}

/// The hash under which a link is kept, if `text` has the form of its token.
pub fn hash(text: &str) -> Option<[u8; 32]> {
    SessionToken::check(text)
}
