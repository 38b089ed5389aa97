//! `/admin/users/{id}`: one account, and the actions of administrators on it.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_core::AccountId;
use retouch_core::credits::{BucketKind, Grant, TakeBack};
use retouch_store::{
    Account, AccountTerms, Error, Granted, PageRequest, Pause, PauseReason, UserDetail,
};

use super::audit::Line;
use super::plan::PlanPart;
use super::{Tab, asked, deed, grant};
use crate::api::path::Named;
use crate::app::{AccountLimits, App};
use crate::error::{ApiError, ApiResult, Code};
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::{Mistake, PageResult, Problem};
use crate::web::shell::{Here, Shell};

/// Log entries on the page of a user.
const LINES_MAX: u32 = 20;

#[derive(Default)]
struct Typed {
    credits: String,
    reason: String,
    suspend_reason: String,
    sign_out_reason: String,
    role_reason: String,
    plan_reason: String,
    pause_reason: String,
    password_reason: String,
    delete_reason: String,
    delete_email: String,
}

#[derive(Template)]
#[template(path = "web/admin/user.html")]
struct UserPage {
    shell: Shell,
    tab: Tab,
    detail: UserDetail,
    plan: PlanPart,
    /// Why paid providers are paused for the account.
    pauses: Vec<Pause>,
    terms: AccountTerms,
    /// The limits that apply without those of `terms`.
    usual: AccountLimits,
    sends_mail: bool,
    /// The password that was just set, which is shown only now.
    new_password: Option<String>,
    /// Whether this is the administrator's own account.
    is_own: bool,
    /// Whether the administrator has a password to confirm with.
    has_password: bool,
    log: Vec<Line>,
    /// The ID of the form, so that it takes effect once.
    form: String,
    /// The message about what was just done.
    done: String,
    typed: Typed,
    mistake: Mistake,
}

pub(super) async fn user(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> PageResult {
    let (shell, own) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let page = page(&app, shell, &own, &named(&id)?).await?;
    let done = match form::query(&parts, "done").as_deref() {
        Some("granted" | "taken") => page.log.first().map_or("", |line| line.what.as_str()),
        Some("reset-sent") => "A link to choose a new password is on its way to the user.",
        Some("terms") => "Limits and notes saved.",
        Some("before") => "This form was already sent. Nothing was changed a second time.",
        Some("suspended") => "Account suspended.",
        Some("resumed") => "The account can use paid providers again.",
        Some("lifted") => "Account reinstated.",
        Some("signed-out") => "Signed out everywhere.",
        Some("appointed") => "Now an administrator.",
        Some("dismissed") => "No longer an administrator.",
        Some("plan-given") => "Plan assigned.",
        Some("plan-ended") => "The plan has ended, or ends after this month.",
        _ => "",
    };
    let done = done.trim_end_matches('.').to_owned();
    let done = if done.is_empty() { done } else { format!("{done}.") };
    Ok(html::page(&UserPage { done, ..page })?)
}

/// Grants or removes credits.
pub(super) async fn credits(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    if let Some(question) = grant::question(&app, &acting).await? {
        return Ok(question);
    }
    let done = book(&app, &acting).await;
    acting.answer(&app, done).await
}

/// Suspends or reinstates the account.
pub(super) async fn suspension(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    let done = suspend_or_lift(&app, &acting).await;
    acting.answer(&app, done).await
}

/// Lets the account use paid providers again.
pub(super) async fn resume(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    let done = lift_pauses(&app, &acting).await;
    acting.answer(&app, done).await
}

/// Ends all sessions of the account.
pub(super) async fn sign_out(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    let done = end_sessions(&app, &acting).await;
    acting.answer(&app, done).await
}

/// An action of an administrator on an account.
pub(super) struct Acting {
    pub(super) form: Form,
    pub(super) shell: Shell,
    pub(super) own: Account,
    pub(super) subject: AccountId,
}

impl Acting {
    /// Whether the account is the administrator's own.
    pub(super) fn is_own(&self) -> bool {
        self.own.id == self.subject
    }

    pub(super) async fn receive(app: &App, id: &str, request: Request) -> Result<Self, Problem> {
        let form = Form::receive(app, request).await?;
        let (shell, own) = Shell::for_member(app, &form.parts, Here::Administration).await?;
        let subject = named(id)?;
        Ok(Self { form, shell, own, subject })
    }

    /// Shows the page of the account with a password that was just set.
    pub(super) async fn show_password(self, app: &App, password: String) -> PageResult {
        let page = page(app, self.shell, &self.own, &self.subject).await?;
        Ok(html::page(&UserPage { new_password: Some(password), ..page })?)
    }

    /// Returns to the page of the account, with a message or with the error at the form.
    pub(super) async fn answer(self, app: &App, done: ApiResult<&'static str>) -> PageResult {
        let Self { form, shell, own, subject } = self;
        let error = match done {
            Ok(done) => {
                return Ok(html::see_other(&format!("/admin/users/{subject}?done={done}"))?);
            }
            Err(error) if error.code.row().status >= 500 => return Err(error.into()),
            Err(error) => error,
        };
        let text = |name| form.text(name).to_owned();
        let typed = Typed {
            credits: text("credits"),
            reason: text("reason"),
            suspend_reason: text("suspend_reason"),
            sign_out_reason: text("sign_out_reason"),
            role_reason: text("role_reason"),
            plan_reason: text("plan_reason"),
            pause_reason: text("pause_reason"),
            password_reason: text("password_reason"),
            delete_reason: text("delete_reason"),
            delete_email: text("delete_email"),
        };
        let empty = page(app, shell, &own, &subject).await?;
        let page = UserPage { typed, mistake: Mistake::of(&error), ..empty };
        let status = StatusCode::from_u16(error.code.row().status);
        Ok(html::page_with(status.unwrap_or(StatusCode::BAD_REQUEST), &page)?)
    }
}

async fn book(app: &App, acting: &Acting) -> ApiResult<&'static str> {
    let form = &acting.form;
    let (credits, description) = (asked::credits(form)?, asked::reason(form, "reason")?);
    let source_key = asked::source_key(form, &acting.subject)?;
    let deed = deed(&acting.own, description.clone());
    let (booked, done) = match form.text("act") {
        "grant" => {
            let (kind, expires_at, priority) = (BucketKind::Operator, None, None);
            let grant = Grant { kind, credits, source_key, expires_at, priority, description };
            (app.store.grant_as(&acting.subject, grant, deed).await, "granted")
        }
        "take_back" => {
            let taken =
                TakeBack { credits, excused_max: None, source_key, only_from: None, description };
            (app.store.take_back_as(&acting.subject, taken, deed).await, "taken")
        }
        _ => return Err(ApiError::new(Code::InvalidValue, "Choose what to do with the credits.")),
    };
    match booked {
        Ok(Granted::New(_)) => Ok(done),
        Ok(Granted::Already) => Ok("before"),
        Err(Error::Refused(refused)) => {
            Err(ApiError::about(Code::InvalidValue, "credits", format!("{refused}.")))
        }
        Err(error) => Err(unknown_or(error)),
    }
}

async fn suspend_or_lift(app: &App, acting: &Acting) -> ApiResult<&'static str> {
    let deed = deed(&acting.own, asked::reason(&acting.form, "suspend_reason")?);
    let (subject, store) = (&acting.subject, &app.store);
    match acting.form.text("act") {
        "suspend" => store.suspend(subject, deed).await.map(|_| "suspended"),
        _ => store.lift_suspension(subject, deed).await.map(|_| "lifted"),
    }
    .map_err(unknown_or)
}

async fn lift_pauses(app: &App, acting: &Acting) -> ApiResult<&'static str> {
    let deed = deed(&acting.own, asked::reason(&acting.form, "pause_reason")?);
    app.store.lift_pauses(&acting.subject, deed).await.map(|_| "resumed").map_err(unknown_or)
}

/// The limits as the form shows them: name, label, the account's own limit, and the usual one.
fn limits(
    terms: &AccountTerms,
    usual: &AccountLimits,
) -> [(&'static str, &'static str, String, String); 3] {
    let own = |limit: Option<u32>| limit.map_or_else(String::new, |limit| limit.to_string());
    let calls = usual.calls_per_minute.map_or_else(|| "no limit".to_owned(), |it| it.to_string());
    [
        ("calls_per_minute", "Calls per minute (0: no limit)", own(terms.calls_per_minute), calls),
        (
            "edits_at_once_max",
            "Edits at the same time",
            own(terms.edits_at_once_max),
            usual.edits_at_once_max.to_string(),
        ),
        (
            "videos_at_once_max",
            "Videos at the same time",
            own(terms.videos_at_once_max),
            usual.videos_at_once_max.to_string(),
        ),
    ]
}

/// The reason for a pause, for administrators.
fn pause_words(pause: &Pause) -> &'static str {
    match pause.reason {
        PauseReason::Dispute => "A payment is disputed",
        PauseReason::FraudWarning => "The card’s issuer reports fraud",
        PauseReason::Refusals => "Providers refused too many calls because of their content",
        PauseReason::Debt => "A payment was refunded or reversed after its credits were used",
    }
}

async fn end_sessions(app: &App, acting: &Acting) -> ApiResult<&'static str> {
    let deed = deed(&acting.own, asked::reason(&acting.form, "sign_out_reason")?);
    let ended = app.store.sign_out_everywhere(&acting.subject, deed).await;
    ended.map(|_| "signed-out").map_err(unknown_or)
}

async fn page(app: &App, shell: Shell, own: &Account, subject: &AccountId) -> ApiResult<UserPage> {
    // This records expired credits first, so that the page shows the current balance.
    app.store.balance(subject).await.map_err(unknown_or)?;
    let found = app.store.find_user(subject).await?;
    let detail = found.ok_or_else(|| ApiError::not_found("user"))?;
    let lines = PageRequest { limit: LINES_MAX, cursor: None };
    let log = app.store.list_audit(Some(subject), &lines).await?;
    let plans = app.store.list_subscriptions(subject).await?;
    let plan = plans.first().and_then(|one| app.catalogue.find_plan(&one.plan));
    Ok(UserPage {
        shell,
        tab: Tab::Users,
        detail,
        terms: app.store.find_terms(subject).await?,
        usual: app.limits_with(plan),
        sends_mail: app.sends_mail(),
        new_password: None,
        plan: PlanPart::of(app, subject).await?,
        pauses: app.store.list_pauses(subject).await?,
        is_own: own.id == *subject,
        has_password: app.store.find_password_hash(&own.id).await?.is_some(),
        log: log.data.into_iter().map(Line::of).collect(),
        form: app.ids.edit().to_string(),
        done: String::new(),
        typed: Typed::default(),
        mistake: Mistake::default(),
    })
}

fn named(id: &str) -> ApiResult<AccountId> {
    id.parse().map_err(|_| ApiError::not_found("user"))
}

pub(super) fn unknown_or(error: Error) -> ApiError {
    match error {
        Error::AccountUnknown => ApiError::not_found("user"),
        other => other.into(),
    }
}
