//! From a request body to an accepted call: its edit, its price, and who can perform it. Nothing
//! has been changed yet when this fails.

use std::sync::Arc;

use retouch_core::catalogue::Quality;
use retouch_core::edit::{Body, Edit, RequestLimits, Supplement};
use retouch_core::image::Background;
use retouch_core::{AccountId, Kind, Warning};
use retouch_providers::workshop::run_here;
use retouch_providers::{Reading, Serving, Wish, built_in};
use retouch_store::IdempotencyKey;
use tokio::sync::OnceCell;

use super::run::EditRun;
use super::second_reading::{self, First};
use super::{Place, Submission, Turns};
use crate::app::{AccountLimits, App};
use crate::auth::Caller;
use crate::error::{ApiError, ApiResult, Code, overloaded};
use crate::http::bodies::BodyMemory;

/// An accepted call.
pub(super) struct Call {
    /// The edit that it asks for.
    pub(super) run: EditRun,
    /// The request, and who can perform it.
    pub(super) assignment: Assignment,
    pub(super) caller: Caller,
    /// What identifies a repeated call, if the caller sent an `Idempotency-Key`.
    pub(super) idempotency: Option<IdempotencyKey>,
    /// Memory for the data of the call.
    pub(super) memory: BodyMemory,
}

/// A request, and who can perform it.
#[derive(Clone)]
pub(super) struct Assignment {
    pub(super) edit: Arc<Edit>,
    /// The providers that may perform it, in order of preference.
    pub(super) routes: Vec<Serving>,
    /// What the first of them has understood.
    pub(super) reading: Arc<Reading>,
}

/// Requests up to this size, in bytes with their images, are parsed on the thread of their call. That usually
/// takes about ten microseconds, which is less than waking another thread. The slowest request that we found
/// takes less than a millisecond.
const READ_HERE_BYTES_MAX: usize = 16 << 10;

/// A request that was read, and its fingerprint if it has an `Idempotency-Key`.
type ReadRequest = (Assignment, Option<[u8; 32]>);

/// What was read of a request. Submissions of the same request share it, so that it is read once.
#[derive(Clone, Default)]
pub struct ReadOnce(Arc<OnceCell<ApiResult<ReadRequest>>>);

/// Parses and checks the request and its instruction, as far as possible without its images.
pub(super) async fn accept(
    app: &Arc<App>,
    caller: &Caller,
    submission: Submission,
) -> ApiResult<Call> {
    let Submission { kind, body, supplement, idempotency_key, memory, read_once } = submission;
    let account = &caller.account.id;
    let is_keyed = idempotency_key.is_some();
    let key = |fingerprint: Option<[u8; 32]>| {
        let (key, fingerprint) = idempotency_key.clone().zip(fingerprint)?;
        Some(IdempotencyKey { call: call_name(kind), key, fingerprint })
    };
    let is_small = body.len() + supplement.bytes() <= READ_HERE_BYTES_MAX;
    // On the heap, because whatever wraps a future moves it, and this one is large.
    let reading = Box::pin(async {
        let (first, fingerprint) = if is_small {
            let (edit, fingerprint) = here(|| read(app, kind, (&body, &supplement), is_keyed))?;
            drop((body, supplement));
            (first_of_small(app, account, edit).await?, fingerprint)
        } else {
            let reading = app.reading(account, body.len(), move |app| {
                let (edit, fingerprint) = read(app, kind, (&body, &supplement), is_keyed)?;
                // Everything needed from the body has been copied.
                drop((body, supplement));
                Ok((second_reading::first(app, edit)?, fingerprint))
            });
            reading.await?
        };
        let assignment = second_reading::second(app, account, first, key(fingerprint)).await?;
        Ok((assignment, fingerprint))
    });
    let (assignment, fingerprint) = read_once.0.get_or_init(|| reading).await.clone()?;
    Ok(Call {
        run: EditRun::new(app, account, &assignment),
        assignment,
        caller: caller.clone(),
        idempotency: key(fingerprint),
        memory,
    })
}

/// Assigns the edit of a small request. Only the built-in editor reads instructions. That takes longer than
/// all the rest, so it happens on another thread.
async fn first_of_small(app: &Arc<App>, account: &AccountId, edit: Edit) -> ApiResult<First> {
    let routes = app.providers.serving(&edit.model, edit.kind, app.clock.now());
    if routes.iter().any(|route| route.provider.name() == built_in::NAME) {
        return app.reading(account, 0, move |app| second_reading::first(app, edit)).await;
    }
    here(|| second_reading::first(app, edit))
}

/// Runs `work` on the thread of the call.
///
/// # Errors
/// Those of `work`; 500 if it panics.
fn here<T>(work: impl FnOnce() -> ApiResult<T>) -> ApiResult<T> {
    let panicked = |_| ApiError::internal("reading a request panicked");
    run_here(work).map_err(panicked)?
}

/// Assigns `edit`, which is the stored request of `run`, as if it had just been sent.
pub(super) async fn assign_again(run: &EditRun, edit: Edit) -> ApiResult<Assignment> {
    run.app.reading(&run.account, 0, move |app| assign(app, edit)).await
}

/// Chooses the routes for `edit`, and with them its price.
pub(super) fn assign(app: &App, mut edit: Edit) -> ApiResult<Assignment> {
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
    keep_able(&edit, &mut routes)?;
    set_price(&mut edit, &mut routes)?;
    let (passed_over, reading) = first_reading(&routes, &edit)?;
    routes.drain(..passed_over);
    let reading = Arc::new(reading);
    encode(&mut edit, &reading)?;
    if edit.plan.is_some() {
        edit.instruction = reading.words().unwrap_or_default();
    }
    Ok(Assignment { edit: Arc::new(edit), routes, reading })
}

/// Lets what was understood say how the result is encoded.
pub(super) fn encode(edit: &mut Edit, reading: &Reading) -> ApiResult<()> {
    let Some(output) = reading.output() else { return Ok(()) };
    let encoding = built_in::plan::encoding(edit, output).map_err(|refusal| {
        ApiError::about(Code::InstructionNotSupported, "instruction", refusal.message)
    })?;
    edit.encode(encoding);
    Ok(())
}

/// Removes the routes that cannot do what `edit` asks for.
///
/// # Errors
/// If none is left.
fn keep_able(edit: &Edit, routes: &mut Vec<Serving>) -> ApiResult<()> {
    let id = &edit.model.id;
    let chars = edit.instruction.chars().count();
    let chars_max = |route: &Serving| route.provider.instruction_chars_max(&route.model);
    let most = routes.iter().map(chars_max).max().unwrap_or_default();
    routes.retain(|route| chars <= chars_max(route));
    if routes.is_empty() && chars > most {
        let message = format!(
            "`prompt` is too long: {chars} of {most} characters, the most that the provider of \
             {id} accepts."
        );
        return Err(ApiError::about(Code::TooLong, "prompt", message));
    }
    let is_transparent = edit.background == Some(Background::Transparent);
    let wishes = [
        (Wish::Mask, edit.mask.is_some(), "mask", "apply a mask"),
        (
            Wish::TransparentBackground,
            is_transparent,
            "background",
            "make a transparent background",
        ),
    ];
    for (wish, _, param, what) in wishes.into_iter().filter(|(_, is_asked, _, _)| *is_asked) {
        routes.retain(|route| route.provider.fulfills(wish, &route.model));
        if routes.is_empty() {
            let message = format!(
                "No provider that serves {id} here can {what}, so `{param}` would be ignored. \
                 Leave it out, or choose another model."
            );
            return Err(ApiError::about(Code::RequestRefused, param, message));
        }
    }
    Ok(())
}

/// Sets the price of the call. The built-in editor costs the operator nothing, so it always charges
/// the price of a default call. A call that pays for a quality goes only to providers that support
/// it; if none does, the call does not pay for it.
fn set_price(edit: &mut Edit, routes: &mut Vec<Serving>) -> ApiResult<()> {
    let model = Arc::clone(&edit.model);
    let plain = model.tier(Quality::Medium, edit.size, edit.duration_seconds);
    let supports = |route: &Serving| route.provider.supports_quality(&route.model);
    let is_supported = routes.iter().any(supports);
    let is_dearer = model.price(edit.tier) > model.price(plain);
    if is_built_in(routes) {
        edit.price = model.credits;
    } else {
        if edit.quality.is_some() && is_supported {
            routes.retain(supports);
        } else {
            edit.tier = plain;
        }
        edit.price = edit.provider_price()?;
    }
    if is_dearer && !is_supported {
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
pub(super) fn is_built_in(routes: &[Serving]) -> bool {
    routes.first().is_some_and(|route| route.provider.name() == built_in::NAME)
}

/// The request, and its fingerprint if the call `is_keyed`.
fn read(
    app: &App,
    kind: Kind,
    (body, supplement): (&[u8], &Supplement),
    is_keyed: bool,
) -> ApiResult<(Edit, Option<[u8; 32]>)> {
    let body = Body::parse(body)?.with(supplement);
    let edit = app.catalogue.accept(kind, &body, request_limits(app))?;
    Ok((edit, is_keyed.then(|| body.fingerprint())))
}

/// The operator's limits on requests.
pub(crate) fn request_limits(app: &App) -> RequestLimits {
    RequestLimits { image_bytes_max: app.settings.edits.image_bytes_max }
}

/// The name of the call, which is part of the scope of an `Idempotency-Key`.
pub(crate) fn call_name(kind: Kind) -> &'static str {
    match kind {
        Kind::ImageEdit => "image-edit",
        Kind::TextToImage => "text-to-image",
        Kind::Video => "video-generation",
    }
}

impl Assignment {
    /// The queue where the edit waits. The built-in editor is limited by our cores; other providers
    /// are not.
    pub(super) fn turns<'a>(&self, app: &'a App) -> &'a Turns {
        if is_built_in(&self.routes) { &app.built_in_turns } else { &app.vendor_turns }
    }
}

impl Call {
    /// Takes one of the account's places for edits in progress.
    ///
    /// # Errors
    /// If none is free, or the service is overloaded.
    pub(super) fn enter(&self) -> ApiResult<Place> {
        let places_max = self.limits().edits_at_once_max;
        let place = self.turns().enter(&self.run.account, places_max)?;
        if self.run.app.workshop.is_full() { Err(overloaded()) } else { Ok(place) }
    }

    fn turns(&self) -> &Turns {
        self.assignment.turns(&self.run.app)
    }

    /// The limits of the caller.
    pub(super) fn limits(&self) -> AccountLimits {
        self.run.app.limits(&self.caller.account.id, self.caller.plan.as_deref())
    }

    /// The edit alone. This frees the request and the memory of the call.
    pub(super) fn into_run(self) -> EditRun {
        self.run
    }

    /// The memory alone, for the response. This frees the request with its images.
    pub(super) fn into_memory(self) -> BodyMemory {
        self.memory
    }
}
