//! Creates invitations. The link is shown once; only the hash of its secret is stored.

use retouch_core::{Email, Ids, Timestamp};
use retouch_store::{Deed, Error, NewInvitation, Store};
use url::Url;

use super::secret::SessionToken;
use crate::mail::email_text::SIGN_UP_PATH;

/// The maximum lifetime of an invitation, in days.
pub const DAYS_MAX: u8 = 90;
/// Milliseconds in a day.
const DAY_MS: i64 = 24 * 3_600_000;

/// An invitation to create.
#[derive(Clone, Debug)]
pub struct InvitationRequest {
    /// The only address that can sign up with it; none for any address.
    pub email: Option<Email>,
    /// Its lifetime in days.
    pub days: u8,
    /// Who creates it, and why.
    pub deed: Deed,
}

/// An invitation that was created.
#[derive(Clone, Debug)]
pub struct Invited {
    /// The link to pass on.
    pub link: String,
    /// When it expires.
    pub expires_at: Timestamp,
    /// Whether the address also gets an email, with a link of its own.
    pub is_mailed: bool,
}

/// Creates an invitation to the service at `base`.
///
/// # Errors
/// As [`Store::create_invitation`].
pub async fn invite(
    store: &Store,
    ids: &Ids,
    base: &Url,
    request: InvitationRequest,
) -> Result<Invited, Error> {
    let InvitationRequest { email, days, deed } = request;
    let token = SessionToken::new(ids);
    let expires_at = store.clock().now().plus_ms(i64::from(days) * DAY_MS);
    let new = NewInvitation { token_hash: token.hash(), email, expires_at };
    let is_mailed = store.create_invitation(new, deed).await?;
    let base = base.as_str().trim_end_matches('/');
    let link = format!("{base}{SIGN_UP_PATH}?invitation={}", token.reveal());
    Ok(Invited { link, expires_at, is_mailed })
}
