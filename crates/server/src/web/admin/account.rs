//! What administrators do with a whole account: resetting its password, its limits and notes, and
//! deleting it.

use std::sync::Arc;

use axum::extract::{Request, State};
use retouch_store::{AccountTerms, Deletion};

use super::user::{Acting, unknown_or};
use super::{asked, deed, users};
use crate::api::path::Named;
use crate::app::App;
use crate::auth::secret::new_password;
use crate::error::{ApiError, ApiResult, Code};
use crate::web::html;
use crate::web::problem::PageResult;
use crate::{billing, edits};

/// The maximum length of the notes, in characters.
const NOTE_CHARS_MAX: usize = 4_000;

/// Emails a link to choose a new password, or sets a new password and shows it.
pub(super) async fn password(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    match reset(&app, &acting).await {
        Ok(None) => acting.answer(&app, Ok("reset-sent")).await,
        Ok(Some(password)) => acting.show_password(&app, password).await,
        Err(error) => acting.answer(&app, Err(error)).await,
    }
}

/// The new password, or `None` if a link was sent.
async fn reset(app: &App, acting: &Acting) -> ApiResult<Option<String>> {
    let form = &acting.form;
    let deed = deed(&acting.own, asked::reason(form, "password_reason")?);
    let store = &app.store;
    if form.text("act") == "send" {
        if !app.sends_mail() {
            let message = "This server does not send email. Set a new password instead.";
            return Err(ApiError::new(Code::MailNotConfigured, message));
        }
        let expires_at = app.clock.now().plus_ms(app.settings.email_links.reset_ms);
        store.request_reset_as(&acting.subject, expires_at, deed).await.map_err(unknown_or)?;
        app.emails_queued();
        return Ok(None);
    }
    // Whoever sets a password can sign in as the user, so an open page is not enough.
    asked::proof(app, form, "password_password").await?;
    let password = new_password(&app.ids);
    let hash = app.passwords.hash(password.clone(), &app.ids).await?;
    store.set_password_as(&acting.subject, hash, deed).await.map_err(unknown_or)?;
    app.emails_queued();
    Ok(Some(password))
}

/// Sets the limits of the account and the notes about it.
pub(super) async fn terms(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    let done = set_terms(&app, &acting).await;
    acting.answer(&app, done).await
}

async fn set_terms(app: &App, acting: &Acting) -> ApiResult<&'static str> {
    let form = &acting.form;
    let note = form.text("note").trim().replace("\r\n", "\n");
    if note.chars().count() > NOTE_CHARS_MAX {
        let message = format!("Too long: at most {NOTE_CHARS_MAX} characters.");
        return Err(ApiError::about(Code::InvalidValue, "note", message));
    }
    let terms = AccountTerms {
        calls_per_minute: asked::limit(form, "calls_per_minute", 0)?,
        edits_at_once_max: asked::limit(form, "edits_at_once_max", 1)?,
        videos_at_once_max: asked::limit(form, "videos_at_once_max", 1)?,
        note,
    };
    let limits = [
        ("calls per minute", terms.calls_per_minute),
        ("edits at once", terms.edits_at_once_max),
        ("videos at once", terms.videos_at_once_max),
    ];
    let set = limits.iter().filter_map(|(name, limit)| Some(format!("{name}: {}", (*limit)?)));
    let set: Vec<String> = set.collect();
    let reason = if set.is_empty() { "as in the plan".to_owned() } else { set.join(", ") };
    let done = app.store.set_terms(&acting.subject, terms, deed(&acting.own, reason)).await;
    done.map_err(unknown_or)?;
    app.refresh().await?;
    Ok("terms")
}

/// Deletes the account.
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let acting = Acting::receive(&app, &id, request).await?;
    match remove(&app, &acting).await {
        Ok(()) => Ok(html::see_other(&format!("{}?done=deleted", users::PATH))?),
        Err(error) => acting.answer(&app, Err(error)).await,
    }
}

async fn remove(app: &Arc<App>, acting: &Acting) -> ApiResult<()> {
    let form = &acting.form;
    let deed = deed(&acting.own, asked::reason(form, "delete_reason")?);
    let found = app.store.find_user(&acting.subject).await?;
    let user = found.ok_or_else(|| ApiError::not_found("user"))?.user;
    if form.text("delete_email").trim().to_lowercase() != user.account.email.as_str().to_lowercase()
    {
        let message = "Enter the email address of the account that you want to delete.";
        return Err(ApiError::about(Code::InvalidValue, "delete_email", message));
    }
    asked::proof(app, form, "delete_password").await?;
    match app.store.delete_account_as(&acting.subject, deed).await? {
        Deletion::Gone => {
            app.emails_queued();
            billing::tell_soon(app);
            edits::begin_removal(app);
            Ok(())
        }
        Deletion::Running { edits } => {
            let message =
                format!("Generations still running: {edits}. Try again when they have ended.");
            Err(ApiError::new(Code::GenerationRunning, message).retry_after_s(5))
        }
        Deletion::Paying => {
            let message = "The account pays for a plan. End the plan first.";
            Err(ApiError::new(Code::PlanRunning, message))
        }
        Deletion::Unknown => Err(ApiError::not_found("user")),
    }
}
