//! From a request body to an open edit: everything before the work begins.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::catalogue::Quality;
use retouch_core::edit::{Body, Edit, RequestLimits};
use retouch_core::{AccountId, Credits, EditId, Kind, Warning};
use retouch_providers::{Media, Reading, Serving, built_in};
use retouch_store::{EditRecord, Error, IdempotencyKey, OpenEdit, OpenError, Opened};
use tracing::{Instrument, Span, info_span};

use super::running::RunningEdit;
use super::{AccountFull, Held, Place, Turns, request_fields};
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult, Code, overloaded};

/// An accepted request.
pub(super) struct Accepted {
    pub(super) id: EditId,
    pub(super) blob: String,
    pub(super) edit: Arc<Edit>,
    pub(super) routes: Vec<Serving>,
    pub(super) reading: Arc<Reading>,
    fingerprint: Option<[u8; 32]>,
}

/// Parses and checks the request and its instruction, as far as possible without its images.
pub(super) async fn accept(
    app: &Arc<App>,
    account: &AccountId,
    (kind, body, keyed): (Kind, Bytes, bool),
) -> ApiResult<Accepted> {
    let named = (app.ids.edit(), app.blob_name(Media::of(kind)));
    let reading = app.reading((account, body.len()), move |app| {
        let (edit, fingerprint) = read(app, kind, &body, keyed)?;
        // Everything needed from the body has been copied.
        drop(body);
        Ok(Accepted { fingerprint, ..assign(app, edit, named)? })
    });
    reading.await
}

/// Chooses the routes for the edit `held`, which was opened before.
pub(super) async fn assign_apart(
    app: &Arc<App>,
    account: &AccountId,
    (edit, held): (Edit, &Held),
) -> ApiResult<Accepted> {
    let named = (held.id, held.blob.clone());
    app.reading((account, 0), move |app| assign(app, edit, named)).await
}

/// Chooses the routes for `edit`, which gets this id and file name.
fn assign(app: &App, mut edit: Edit, (id, blob): (EditId, String)) -> ApiResult<Accepted> {
    let mut routes = app.providers.serving(&edit.model, edit.kind, app.clock.now());
    if edit.plan.is_some() {
        routes.retain(|route| route.provider.name() == built_in::NAME);
        if routes.is_empty() {
            let id = &edit.model.id;
            let message = format!(
                "Only the built-in editor can perform a `plan`, and it does not serve {id}. Send \
                 an `instruction` instead."
            );
            return Err(ApiError::about(Code::InstructionNotSupported, "plan", message));
        }
    }
    set_price(&mut edit, &mut routes)?;
    let (passed_over, reading) = first_reading(&routes, &edit)?;
    routes.drain(..passed_over);
    let reading = Arc::new(reading);
    if edit.plan.is_some() {
        edit.instruction = reading.words().unwrap_or_default();
    }
    Ok(Accepted { id, blob, edit: Arc::new(edit), routes, reading, fingerprint: None })
}

/// Sets the price of the call. The built-in editor costs the operator nothing, so it always charges
/// the price of a default call. A call that pays for a quality goes only to providers that support
/// it; if none does, the call does not pay for it.
fn set_price(edit: &mut Edit, routes: &mut Vec<Serving>) -> ApiResult<()> {
    let model = Arc::clone(&edit.model);
    let plain = model.tier(Quality::Medium, edit.size, edit.duration_seconds);
    let heeds = |route: &Serving| route.provider.supports_quality(&route.model);
    let is_heeded = routes.iter().any(heeds);
    let is_dearer = model.price(edit.tier) > model.price(plain);
    if is_built_in(routes) {
        edit.price = model.credits;
    } else {
        if edit.quality.is_some() && is_heeded {
            routes.retain(heeds);
        } else {
            edit.tier = plain;
        }
        edit.price = edit.provider_price()?;
    }
    if is_dearer && !is_heeded {
        let (id, price) = (&model.id, edit.price);
        let message = format!(
            "The provider that serves {id} does not use `quality`; you pay {price} credits, the \
             price without it."
        );
        edit.warnings.push(Warning::about("quality_ignored", "quality", message));
    }
    Ok(())
}

/// The first of `routes` that does not refuse the request, and how it reads the request.
fn first_reading(routes: &[Serving], edit: &Edit) -> ApiResult<(usize, Reading)> {
    let mut refusal = None;
    for (number, route) in routes.iter().enumerate() {
        match route.provider.read(edit, &route.model) {
            Ok(reading) => return Ok((number, reading)),
            Err(refused) => refusal = refusal.or(Some(refused)),
        }
    }
    Err(refusal.map_or_else(|| ApiError::internal("a model without a route"), Into::into))
}

/// Whether the built-in editor is first among `routes`.
fn is_built_in(routes: &[Serving]) -> bool {
    routes.first().is_some_and(|route| route.provider.name() == built_in::NAME)
}

fn read(app: &App, kind: Kind, body: &[u8], keyed: bool) -> ApiResult<(Edit, Option<[u8; 32]>)> {
    let body = Body::parse(body)?;
    let edit = app.catalogue.accept(kind, &body, request_limits(app))?;
    Ok((edit, keyed.then(|| body.fingerprint())))
}

/// The operator's limits on requests.
pub(super) fn request_limits(app: &App) -> RequestLimits {
    RequestLimits { picture_bytes_max: app.settings.edits.picture_bytes_max }
}

impl Accepted {
    /// Holds the credits. From here on, the edit always ends captured or released.
    pub(super) async fn open(
        &self,
        app: &App,
        caller: &Caller,
        idempotency_key: Option<String>,
    ) -> ApiResult<Result<Opened, OpenError>> {
        let idempotency = self.idempotency(idempotency_key);
        let limits = app.limits(caller.plan.as_deref());
        let edit = &self.edit;
        let opening = OpenEdit {
            id: self.id,
            kind: edit.kind,
            model: edit.model.id.clone(),
            provider: self.routes.first().map_or("", |route| route.provider.name()).to_owned(),
            instruction: edit.instruction.clone(),
            price: edit.price,
            key: caller.key_id().cloned(),
            idempotency,
            blob: self.blob.clone(),
            request: Some(request_fields::request(edit).to_string()),
            input_blob: request_fields::stored_input(app, edit),
            plan: self.reading.plan.as_ref().map(ToString::to_string),
            warnings: serde_json::to_string(&self.warnings()).map_err(ApiError::internal)?,
            owner: app.owner.clone(),
            lease_until: app.clock.now().plus_ms(app.settings.edits.lease_ms),
            at_once_max: match edit.kind {
                Kind::Video => limits.videos_at_once_max,
                Kind::ImageEdit | Kind::TextToImage => limits.edits_at_once_max,
            },
            is_paid: self.routes.iter().any(|route| route.provider.name() != built_in::NAME),
        };
        let opened = app.store.open_edit(&caller.account.id, opening);
        Ok(opened.instrument(info_span!("open")).await)
    }

    /// The trace span for the work on it.
    pub(super) fn span(&self) -> Span {
        let edit = &self.edit;
        info_span!(
            "edit",
            retouch.generation = %self.id,
            retouch.kind = edit.kind.as_str(),
            retouch.model = edit.model.id,
        )
    }

    /// The edit of an earlier charged call with the same `Idempotency-Key`; none if there is no key
    /// or it is unused. This serves callers who have no free place, without opening an edit
    /// that would only be released again.
    pub(super) async fn find_replay(
        &self,
        app: &App,
        caller: &Caller,
        idempotency_key: Option<String>,
    ) -> Result<Option<EditRecord>, OpenError> {
        match self.idempotency(idempotency_key) {
            Some(key) => app.store.find_replay(&caller.account.id, key).await,
            None => Ok(None),
        }
    }

    fn idempotency(&self, key: Option<String>) -> Option<IdempotencyKey> {
        let call = call(self.edit.kind);
        let keyed = key.zip(self.fingerprint);
        keyed.map(|(key, fingerprint)| IdempotencyKey { call, key, fingerprint })
    }

    /// The edit, after it was opened.
    pub(super) fn held(&self, app: &App, guard: &RunningEdit, account: &AccountId) -> Held {
        Held {
            account: account.clone(),
            id: self.id,
            kind: self.edit.kind,
            model: self.edit.model.id.clone(),
            price: self.edit.price,
            blob: self.blob.clone(),
            owner: app.owner.clone(),
            lost: guard.opened(),
            warnings: self.warnings(),
            created_at: app.clock.now(),
        }
    }

    /// Takes one of the account's places for edits in progress.
    ///
    /// # Errors
    /// If none is free, or the service is overloaded.
    pub(super) fn enter(&self, app: &App, caller: &Caller) -> ApiResult<Place> {
        let places_max = app.limits(caller.plan.as_deref()).edits_at_once_max;
        let place = self.turns(app).enter(&caller.account.id, places_max)?;
        if app.workshop.is_full() { Err(overloaded()) } else { Ok(place) }
    }

    /// The queue where it waits. The built-in editor is limited by our cores; other providers are
    /// not.
    fn turns<'a>(&self, app: &'a App) -> &'a Turns {
        if is_built_in(&self.routes) { &app.built_in_turns } else { &app.vendor_turns }
    }

    /// The warnings before the work begins: how the request was read, and what the provider will do
    /// differently.
    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.edit.warnings.clone();
        warnings.extend(self.reading.warnings.iter().cloned());
        warnings
    }
}

/// The name of the call, which is part of the scope of an `Idempotency-Key`.
fn call(kind: Kind) -> &'static str {
    match kind {
        Kind::ImageEdit => "image-edit",
        Kind::TextToImage => "text-to-image",
        Kind::Video => "video-generation",
    }
}

/// The response to a call that could not be opened.
pub(super) fn not_opened(error: OpenError, price: Credits) -> ApiError {
    match error {
        OpenError::Insufficient { available, .. } => {
            let message = format!("This call costs {price} credits; you have {available}.");
            ApiError::new(Code::InsufficientCredits, message)
        }
        OpenError::KeyLimit { limit, used, .. } => {
            let message = format!(
                "This call costs {price} credits. The API key is limited to {limit} credits, \
                 {used} of which are used or reserved."
            );
            ApiError::new(Code::KeyCreditLimitReached, message)
        }
        OpenError::IdempotencyRunning { .. } => {
            let message = "The first call with this Idempotency-Key is still running.";
            ApiError::new(Code::IdempotencyInProgress, message).retry_after_s(1)
        }
        OpenError::IdempotencyMismatch => {
            let message = "This Idempotency-Key was used with a different body. Use a new key.";
            ApiError::new(Code::IdempotencyMismatch, message)
        }
        OpenError::Paused => {
            let message = "Models of paid providers are paused for this account while a payment is \
                           reviewed. The built-in editor still works. Ask the operator of this \
                           service to review the payment.";
            ApiError::new(Code::PaymentReview, message)
        }
        OpenError::Full { under_way } => AccountFull { under_way }.into(),
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
    }
}
