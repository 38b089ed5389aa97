//! The frame of every page: signed-in user, current page, theme.

use std::sync::Arc;

use axum::http::request::Parts;
use retouch_store::Account;

use super::problem::Problem;
use super::theme::Theme;
use super::{assets, credit_request, local};
use crate::app::{App, Live, live};
use crate::auth;
use crate::config::{SignUpRule, SiteSettings};
use crate::error::ApiResult;

/// The current page, for the navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Here {
    Studio,
    History,
    Credits,
    Keys,
    Webhooks,
    Plans,
    Docs,
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
    /// What the operator set; `None` outside requests.
    live: Option<Arc<Live>>,
    /// Whether the service allows sign-up at all.
    pub(super) offers_sign_up: bool,
    /// Whether credits are sold here. Otherwise, no page shows prices.
    pub(super) sells: bool,
    /// The query of the links to sign in and up: where to go afterwards, and an invitation.
    pub(super) entry: String,
    /// The address under which search engines list the page, if it has one.
    pub(super) canonical: Option<String>,
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
        let offers_sign_up = app.live().settings.sign_up != SignUpRule::Closed;
        let sells = credit_request::sells(app);
        let canonical = Some(app.url_of(parts.uri.path()));
        Ok(Self {
            theme,
            member,
            is_known: true,
            offers_sign_up,
            sells,
            canonical,
            ..Self::bare(here)
        })
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
            live: live::current(),
            offers_sign_up: false,
            sells: false,
            entry: String::new(),
            canonical: None,
        }
    }

    /// The name of the service.
    pub(super) fn site_name(&self) -> &str {
        self.live.as_ref().map_or("Retouch", |live| &live.site().name)
    }

    /// What visitors see of the operator, if it is known.
    pub(super) fn site(&self) -> Option<&SiteSettings> {
        self.live.as_ref().map(|live| live.site())
    }

    /// The style sheet with the operator's color, if there is one.
    pub(super) fn style(&self) -> Option<String> {
        let live = self.live.as_ref().filter(|live| live.site().color.is_some())?;
        Some(format!("/site/{}/style.css", live.version))
    }

    /// The address of the logo, if there is one.
    pub(super) fn logo(&self) -> Option<String> {
        let live = self.live.as_ref().filter(|live| live.logo.is_some())?;
        Some(format!("/site/{}/logo", live.version))
    }

    /// The address of the studio. Visitors find the landing page at `/`.
    pub(super) fn studio(&self) -> &'static str {
        if self.member.is_some() { "/" } else { super::STUDIO_PATH }
    }

    /// Makes the links to sign in and up lead to `next` afterwards, with the secret of an invitation,
    /// which may be empty.
    pub(super) fn leading_to(mut self, next: &str, invitation: &str) -> Self {
        let mut query = form_urlencoded::Serializer::new(String::new());
        if next != "/" {
            query.append_pair("next", next);
        }
        if !invitation.is_empty() {
            query.append_pair("invitation", invitation);
        }
        let query = query.finish();
        self.entry = if query.is_empty() { query } else { format!("?{query}") };
        self
    }

    /// The frame of a page that search engines should not list.
    pub(super) fn unlisted(self) -> Self {
        Self { canonical: None, ..self }
    }

    /// The value of `aria-current` for a page in the navigation.
    pub(super) fn current(&self, here: Here) -> &'static str {
        if self.here == here { "page" } else { "false" }
    }
}
