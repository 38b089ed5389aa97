//! Making invitations: the link is shown once, and only the hash of its secret is kept.

use retouch_core::{Email, Ids, Timestamp};
use retouch_store::{Deed, Error, NewInvitation, Store};
use url::Url;

use super::secret::SessionToken;
use crate::mail::words::SIGN_UP_PATH;

/// The most days for which an invitation works.
pub const DAYS_MAX: u8 = 90;
/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 3_600_000;

/// An invitation that is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The only address that can sign up with it; none: any.
    pub email: Option<Email>,
    /// How many days it works.
    pub days: u8,
}

/// An invitation that was made.
#[derive(Clone, Debug)]
pub struct Invited {
    /// The link to hand on.
    pub link: String,
    /// When it stops working.
    pub expires_at: Timestamp,
    /// Whether an email with a link of its own goes to the address.
    pub is_mailed: bool,
}

/// Makes an invitation to the service at `base`.
///
/// # Errors
/// As [`Store::create_invitation`].
pub async fn invite(
    (store, ids): (&Store, &Ids),
    base: &Url,
    wanted: Wanted,
    deed: Deed,
) -> Result<Invited, Error> {
    let token = SessionToken::new(ids);
    let expires_at = store.clock().now().plus_ms(i64::from(wanted.days) * DAY_MS);
    let new = NewInvitation { token_hash: token.hash(), email: wanted.email, expires_at };
    let is_mailed = store.create_invitation(new, deed).await?;
    let base = base.as_str().trim_end_matches('/');
    let link = format!("{base}{SIGN_UP_PATH}?invitation={}", token.reveal());
    Ok(Invited { link, expires_at, is_mailed })
}
