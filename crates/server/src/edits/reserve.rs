//! Reserves the credits of an accepted call, in the transaction that opens its edit.

use std::sync::Arc;

use retouch_core::credits::{KeyPeriod, Refused};
use retouch_core::{EditId, Kind};
use retouch_providers::built_in;
use retouch_store::{EditRecord, Error, OpenEdit, OpenError, Opened};
use tracing::{Instrument, info_span};

use super::accept::Call;
use super::run::EditRun;
use super::running::BackgroundFull;
use super::{AccountFull, request_fields};
use crate::error::{ApiError, ApiResult, Code};

/// An earlier call with the same `Idempotency-Key`, which takes the place of this one.
pub(super) enum Earlier {
    /// It was charged. This is its record, which its owner may have deleted.
    Charged(Box<EditRecord>),
    /// It is still running.
    Running(EditId),
}

impl Earlier {
    /// Its record.
    ///
    /// # Errors
    /// If it is still running.
    pub(super) fn charged(self) -> ApiResult<EditRecord> {
        match self {
            Self::Charged(record) => Ok(*record),
            Self::Running(id) => {
                let message = format!(
                    "The first call with this Idempotency-Key is still running. \
                     GET /api/generations/{id} shows its state."
                );
                Err(ApiError::new(Code::IdempotencyInProgress, message).retry_after_s(1))
            }
        }
    }
}

/// Reserves the credits. From here on, the edit always ends captured or released. Returns an
/// earlier call if there is one; then nothing is reserved.
///
/// # Errors
/// If the call may not be made, for example because the credits do not suffice.
pub(super) async fn reserve(call: &mut Call) -> ApiResult<Option<Earlier>> {
    let opening = opening(call)?;
    let app = Arc::clone(&call.run.app);
    let opened = app.store.open_edit(&call.run.account, opening);
    match opened.instrument(info_span!("open")).await {
        Ok(Opened::New) => {
            call.run.opened();
            Ok(None)
        }
        Ok(Opened::Replay(record)) => Ok(Some(Earlier::Charged(record))),
        Err(error) => not_opened(&call.run, error).map(Some),
    }
}

/// The earlier call with the same `Idempotency-Key`; none if there is no key or it is unused. This
/// serves callers who have no free place, without opening an edit that would only be released
/// again.
///
/// # Errors
/// If the key was used with a different body, or the store cannot be read.
pub(super) async fn find_earlier(call: &Call) -> ApiResult<Option<Earlier>> {
    let Some(key) = call.idempotency.clone() else { return Ok(None) };
    match call.run.app.store.find_replay(&call.run.account, key).await {
        Ok(found) => Ok(found.map(|record| Earlier::Charged(Box::new(record)))),
        Err(error) => not_opened(&call.run, error).map(Some),
    }
}

/// The edit as the store opens it.
fn opening(call: &Call) -> ApiResult<OpenEdit> {
    let (run, assignment, limits) = (&call.run, &call.assignment, call.limits());
    let (app, edit, routes) = (&run.app, &assignment.edit, &assignment.routes);
    let is_paid = routes.iter().any(|route| route.provider.name() != built_in::NAME);
    Ok(OpenEdit {
        id: run.id,
        kind: run.kind,
        model: run.model.clone(),
        provider: routes.first().map_or("", |route| route.provider.name()).to_owned(),
        instruction: edit.instruction.clone(),
        price: run.price,
        key: call.caller.key_id().cloned(),
        idempotency: call.idempotency.clone(),
        blob: run.blob.clone(),
        request: Some(request_fields::request(edit).to_string()),
        input_blob: request_fields::stored_input(app, edit),
        input_name: edit.input_name.clone(),
        plan: assignment.reading.plan.as_ref().map(ToString::to_string),
        warnings: serde_json::to_string(&run.warnings).map_err(ApiError::internal)?,
        owner: run.owner.clone(),
        is_background: run.is_background,
        lease_until: app.clock.now().plus_ms(app.settings.edits.lease_ms),
        at_once_max: match run.kind {
            Kind::Video => limits.videos_at_once_max,
            Kind::ImageEdit | Kind::TextToImage => limits.edits_at_once_max,
        },
        is_paid,
        // docs/reliability.md explains why other edits need not be.
        is_kept: run.is_background || is_paid && call.idempotency.is_some(),
    })
}

/// What it means for the caller that the store has not opened the edit.
fn not_opened(run: &EditRun, error: OpenError) -> ApiResult<Earlier> {
    let price = run.price;
    Err(match error {
        OpenError::IdempotencyRunning { edit } => return Ok(Earlier::Running(edit)),
        OpenError::IdempotencyMismatch => {
            let message = "This Idempotency-Key was used with a different body. Use a new key.";
            ApiError::new(Code::IdempotencyMismatch, message)
        }
        OpenError::Refused(Refused::Insufficient { available, .. }) => {
            let message = format!("This call costs {price} credits; you have {available}.");
            ApiError::new(Code::InsufficientCredits, message)
        }
        OpenError::Refused(Refused::KeyLimit { period, limit, used, .. }) => {
            let (period, until) = match period {
                KeyPeriod::Life => ("", ""),
                KeyPeriod::Day => (" a day", " Days end at midnight UTC."),
                KeyPeriod::Month => (" a month", " Months are calendar months in UTC."),
            };
            let message = format!(
                "This call costs {price} credits. The API key is limited to {limit} \
                 credits{period}, {used} of which are used or reserved.{until}"
            );
            ApiError::new(Code::KeyCreditLimitReached, message)
        }
        OpenError::Refused(refused) => ApiError::internal(refused),
        OpenError::Paused => {
            let message = "Models of paid providers are paused for this account while a payment is \
                           reviewed. The built-in editor still works. Ask the operator of this \
                           service to review the payment.";
            ApiError::new(Code::PaymentReview, message)
        }
        OpenError::Full { under_way } => match run.kind {
            Kind::ImageEdit | Kind::TextToImage => AccountFull { under_way }.into(),
            Kind::Video => BackgroundFull::Account(run.kind).into(),
        },
        OpenError::PausedForRefusals => {
            let message = "Providers refused the content of too many of your calls, so their \
                           models are paused for this account. The built-in editor still works. \
                           Ask the operator of this service to review the account.";
            ApiError::new(Code::ProvidersPaused, message)
        }
        OpenError::RefusedTooOften { wait_s } => {
            let message = "Providers refused the content of too many of your calls today. Wait \
                           before you try again. The built-in editor still works.";
            ApiError::new(Code::TooManyRefusals, message).retry_after_s(wait_s)
        }
        OpenError::KeyUnusable => {
            ApiError::new(Code::Unauthenticated, "The API key has been revoked or has expired.")
        }
        OpenError::Store(Error::AccountUnknown) => {
            ApiError::new(Code::Unauthenticated, "The account has been deleted.")
        }
        OpenError::Store(error) => error.into(),
    })
}
