//! The frame of every page: signed-in user, current page, theme.

use axum::http::request::Parts;
use retouch_store::Account;

use super::problem::Problem;
use super::theme::Theme;
use super::{assets, local};
use crate::app::App;
use crate::auth;
use crate::config::SignUpRule;
use crate::error::ApiResult;

/// The current page, for the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Here {
    Studio,
    History,
    Credits,
    Keys,
    Plans,
    Account,
    Administration,
    Elsewhere,
}

/// The signed-in user.
pub(super) struct Member {
    pub(super) account: Account,
    pub(super) available: i64,
    pub(super) is_administrator: bool,
}

/// The frame of a page.
pub(super) struct Shell {
    pub(super) here: Here,
    pub(super) theme: Theme,
    pub(super) assets: &'static str,
    pub(super) member: Option<Member>,
    /// Whether it is known who is signed in. If not, the page offers no sign-in links.
    pub(super) is_known: bool,
    /// Whether the service allows sign-up at all.
    pub(super) offers_sign_up: bool,
}

impl Shell {
    /// The frame of the page that `parts` requests.
    pub(super) async fn of(app: &App, parts: &Parts, here: Here) -> ApiResult<Self> {
        let member = match auth::by_session(app, parts).await? {
            None => None,
            Some(caller) => Some(Member {
                available: app.store.balance(&caller.account.id).await?.available.get(),
                is_administrator: app.store.is_administrator(&caller.account.id).await?,
                account: caller.account,
            }),
        };
        let theme = Theme::of(&parts.headers);
        let offers_sign_up = app.settings.auth.sign_up != SignUpRule::Closed;
        Ok(Self { theme, member, is_known: true, offers_sign_up, ..Self::bare(here) })
    }

    /// The frame of a page for members only, and the signed-in account.
    ///
    /// # Errors
    /// Redirects to the sign-in page if no one is signed in.
    pub(super) async fn for_member(
        app: &App,
        parts: &Parts,
        here: Here,
    ) -> Result<(Self, Account), Problem> {
        let shell = Self::of(app, parts, here).await?;
        let account = shell.member.as_ref().map(|member| member.account.clone());
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let account = account.ok_or_else(|| Problem::SignIn(local::path(path)))?;
        Ok((shell, account))
    }

    /// The frame of a page that is the same for everyone.
    pub(super) fn bare(here: Here) -> Self {
        Self {
            here,
            theme: Theme::System,
            assets: assets::base(),
            member: None,
            is_known: false,
            offers_sign_up: false,
        }
    }

    /// The value of `aria-current` for a page in the navigation.
    pub(super) fn current(&self, here: Here) -> &'static str {
        if self.here == here { "page" } else { "false" }
    }
}
