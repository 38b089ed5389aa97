//! Sessions: browsers that are signed in. The store only sees the SHA-256 of a session's token.

use retouch_core::{AccountId, Timestamp};

use crate::account::{self, Account};
use crate::billing::plan_of_account;
use crate::browser::{self, Met};
use crate::mail::{self, EmailKind, Notice};
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// How often the use of a session is recorded, in milliseconds.
const TOUCH_MS: i64 = 10 * 60_000;
/// The maximum number of sessions that are listed per account.
const LISTED_MAX: i64 = 100;
/// How many bytes of a token's hash form the session's id, which its owner sees. The rest stays
/// secret.
const NAME_BYTES: usize = 16;

/// Selects the columns that [`from_row`] reads.
macro_rules! select {
    () => {
        concat!(
            "SELECT account.id, account.email, account.created_at, session.token_hash,
                 session.user_agent, session.last_seen_at, session.expires_at, session.proven_at,
                 session.second_factor_at,
                 session.created_at AS begun_at, ",
            plan_of_account!(),
            " FROM session JOIN account ON account.id = session.account_id"
        )
    };
}

/// A session to start.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// SHA-256 of the token that the browser keeps.
    pub token_hash: [u8; 32],
    /// When it ends, no matter how much it is used.
    pub expires_at: Timestamp,
    /// The browser's user agent, so that its owner recognizes it.
    pub user_agent: Option<String>,
    /// When the user last proved who they are, if known.
    pub proven_at: Option<Timestamp>,
    /// When the user last gave a second factor, if they did.
    pub second_factor_at: Option<Timestamp>,
    /// The browser, if it should be remembered.
    pub browser: Option<NewBrowser>,
}

/// A browser that signs in.
#[derive(Clone, Debug)]
pub struct NewBrowser {
    /// SHA-256 of the token that identifies it.
    pub token_hash: [u8; 32],
    /// How an email describes it to the owner if it is new. `None`: no email is sent.
    pub told_as: Option<String>,
}

/// A session that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The account that is signed in.
    pub account: Account,
    /// The plan of that account, if any.
    pub plan: Option<String>,
    /// Its id, which the owner sees. It does not sign anyone in.
    pub id: String,
    /// The browser's user agent.
    pub user_agent: Option<String>,
    /// When it started.
    pub created_at: Timestamp,
    /// When it was last used, to about ten minutes.
    pub last_seen_at: Timestamp,
    /// When it ends, no matter how much it is used.
    pub expires_at: Timestamp,
    /// When the user last proved who they are, if known.
    pub proven_at: Option<Timestamp>,
    /// When the user last gave a second factor, if they did.
    pub second_factor_at: Option<Timestamp>,
}

impl Session {
    /// The id of the session whose token has this hash.
    pub fn id_of(token_hash: &[u8; 32]) -> String {
        token_hash.iter().take(NAME_BYTES).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Store {
    /// Starts a session, remembers its browser, and emails the owner if that is new.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`], [`Error::Suspended`].
    pub async fn create_session(&self, account: &AccountId, new: NewSession) -> Result<(), Error> {
        let (account, notice) = (account.clone(), self.notice());
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
            account::may_act(rows, &account)?;
            let sql = "INSERT INTO session (token_hash, account_id, created_at, last_seen_at,
                           expires_at, user_agent, proven_at, second_factor_at)
                       VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7)";
            rows.execute(
                sql,
                params![
                    new.token_hash,
                    account.as_str(),
                    tx.now().0,
                    new.expires_at.0,
                    new.user_agent,
                    new.proven_at.map(|at| at.0),
                    new.second_factor_at.map(|at| at.0),
                ],
            )?;
            match &new.browser {
                Some(browser) => meet(tx, &account, browser, notice.as_ref()),
                None => Ok(()),
            }
        })
        .await
    }

    /// Finds the session of a token, unless it has ended: because of its age, because it was unused
    /// for `Settings::session_idle_ms`, or because its account is suspended.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_session(&self, token_hash: &[u8; 32]) -> Result<Option<Session>, Error> {
        let (token_hash, now) = (*token_hash, self.clock.now());
        let sql = concat!(select!(), " WHERE token_hash = ?1 AND account.suspended_at IS NULL");
        let found = self.peek_row(move |rows| one(rows, sql, [token_hash], from_row)).await?;
        let idle_ms = self.settings.session_idle_ms;
        let found = found.filter(|session| {
            session.expires_at > now && session.last_seen_at.plus_ms(idle_ms) > now
        });
        if found.as_ref().is_some_and(|session| session.last_seen_at.plus_ms(TOUCH_MS) <= now) {
            self.touch_session(token_hash);
        }
        Ok(found)
    }

    /// Records that the user of a session has just proved who they are.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn prove_session(
        &self,
        account: &AccountId,
        token_hash: &[u8; 32],
    ) -> Result<(), Error> {
        let (account, token_hash) = (account.clone(), *token_hash);
        self.write(Touches::account(&account), move |tx| {
            let sql = "UPDATE session SET proven_at = ?3 WHERE account_id = ?1 AND token_hash = ?2";
            tx.rows().execute(sql, params![account.as_str(), token_hash, tx.now().0])?;
            Ok(())
        })
        .await
    }

    /// Records that the user of a session has just given a second factor.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn strengthen_session(
        &self,
        account: &AccountId,
        token_hash: &[u8; 32],
    ) -> Result<(), Error> {
        let (account, token_hash) = (account.clone(), *token_hash);
        self.write(Touches::account(&account), move |tx| {
            let sql = "UPDATE session SET second_factor_at = ?3
                       WHERE account_id = ?1 AND token_hash = ?2";
            tx.rows().execute(sql, params![account.as_str(), token_hash, tx.now().0])?;
            Ok(())
        })
        .await
    }

    /// Ends a session. Returns whether there was one.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_session(&self, token_hash: &[u8; 32]) -> Result<bool, Error> {
        let token_hash = *token_hash;
        let sql = "DELETE FROM session WHERE token_hash = ?1";
        self.write(Touches::Rows, move |tx| Ok(tx.rows().execute(sql, [token_hash])? > 0)).await
    }

    /// Lists an account's active sessions, the last used one first; at most a hundred.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_sessions(&self, account: &AccountId) -> Result<Vec<Session>, Error> {
        let (account, now) = (account.clone(), self.clock.now());
        let idle_since = now.plus_ms(-self.settings.session_idle_ms);
        let sql = concat!(
            select!(),
            " WHERE account_id = ?1 AND expires_at > ?2 AND last_seen_at > ?3
              ORDER BY last_seen_at DESC, session.created_at DESC LIMIT ?4"
        );
        self.read(move |rows| {
            let values = params![account.as_str(), now.0, idle_since.0, LISTED_MAX];
            all(rows, sql, values, from_row)
        })
        .await
    }

    /// Ends the session of an account with this id. Returns whether there was one.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn end_session(&self, account: &AccountId, id: &str) -> Result<bool, Error> {
        let (account, id) = (account.clone(), id.to_owned());
        self.write(Touches::account(&account), move |tx| {
            let sql = "SELECT token_hash FROM session WHERE account_id = ?1";
            let read = |row: &Row<'_>| row.get::<_, [u8; 32]>(0);
            let hashes = all(tx.rows(), sql, [account.as_str()], read)?;
            let Some(found) = hashes.into_iter().find(|hash| Session::id_of(hash) == id) else {
                return Ok(false);
            };
            Ok(tx.rows().execute("DELETE FROM session WHERE token_hash = ?1", [found])? > 0)
        })
        .await
    }

    /// Ends an account's sessions except the one to keep. Returns how many there were.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn end_sessions(
        &self,
        account: &AccountId,
        keep: Option<[u8; 32]>,
    ) -> Result<usize, Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| end_all(tx.rows(), &account, keep)).await
    }

    fn touch_session(&self, token_hash: [u8; 32]) {
        let sql =
            "UPDATE session SET last_seen_at = ?2 WHERE token_hash = ?1 AND last_seen_at < ?2";
        self.post(move |tx| {
            tx.rows().execute(sql, params![token_hash, tx.now().0])?;
            Ok(())
        });
    }
}

/// Remembers the browser of a new session, and emails the owner if it is new.
fn meet(
    tx: &Transaction<'_>,
    account: &AccountId,
    browser: &NewBrowser,
    notice: Option<&Notice>,
) -> Result<(), Error> {
    let met = browser::note(tx, account, browser.token_hash)?;
    let Some(told_as) = browser.told_as.as_deref().filter(|_| met == Met::New) else {
        return Ok(());
    };
    let owner = account::find(tx.rows(), account)?.ok_or(Error::AccountUnknown)?;
    let notice = notice.map(|notice| notice.about(told_as));
    mail::tell(tx, notice.as_ref(), EmailKind::NewBrowser, &owner)
}

/// Ends an account's sessions except the one to keep.
pub(crate) fn end_all(
    rows: &Rows,
    account: &AccountId,
    keep: Option<[u8; 32]>,
) -> Result<usize, Error> {
    let sql = "DELETE FROM session WHERE account_id = ?1 AND (?2 IS NULL OR token_hash <> ?2)";
    rows.execute(sql, params![account.as_str(), keep])
}

fn from_row(row: &Row<'_>) -> Result<Session, Error> {
    Ok(Session {
        account: account::from_row(row)?,
        plan: row.get("plan")?,
        id: Session::id_of(&row.get("token_hash")?),
        user_agent: row.get("user_agent")?,
        created_at: Timestamp(row.get("begun_at")?),
        last_seen_at: Timestamp(row.get("last_seen_at")?),
        expires_at: Timestamp(row.get("expires_at")?),
        proven_at: row.get::<_, Option<i64>>("proven_at")?.map(Timestamp),
        second_factor_at: row.get::<_, Option<i64>>("second_factor_at")?.map(Timestamp),
    })
}
