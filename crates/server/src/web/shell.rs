//! What every page has around it: who is signed in, where they are, how it looks.

use axum::http::request::Parts;
use retouch_core::AccountId;

use super::assets;
use super::theme::Theme;
use crate::app::App;
use crate::auth::{self, Caller};
use crate::error::ApiResult;

/// The page that is shown, for the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Here {
    Studio,
    Elsewhere,
}

/// Who is signed in.
pub(super) struct Member {
    pub(super) id: AccountId,
    pub(super) email: String,
    pub(super) available: i64,
    pub(super) caller: Caller,
}

/// What is around a page.
pub(super) struct Shell {
    pub(super) here: Here,
    pub(super) theme: Theme,
    pub(super) assets: &'static str,
    pub(super) member: Option<Member>,
}

impl Shell {
    /// What is around a page that `parts` asks for.
    pub(super) async fn of(app: &App, parts: &Parts, here: Here) -> ApiResult<Self> {
        let member = match auth::by_session(app, parts).await? {
            None => None,
            Some(caller) => Some(Member {
                id: caller.account.id.clone(),
                email: caller.account.email.to_string(),
                available: app.store.balance(&caller.account.id).await?.available.get(),
                caller,
            }),
        };
        let theme = Theme::of(&parts.headers);
        Ok(Self { theme, member, ..Self::bare(here) })
    }

    /// What is around a page that nobody in particular sees.
    pub(super) fn bare(here: Here) -> Self {
        Self { here, theme: Theme::System, assets: assets::base(), member: None }
    }

    /// What says in the navigation that this is the page that is shown.
    pub(super) fn current(&self, here: Here) -> &'static str {
        if self.here == here { "page" } else { "false" }
    }
}
