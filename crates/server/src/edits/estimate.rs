//! What a call would cost and who would perform it, without doing anything.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::edit::Body;
use retouch_core::{AccountId, Credits, Warning};
use serde_json::Value;

use super::accept::request_limits;
use super::second_reading;
use crate::app::App;
use crate::error::ApiResult;

/// What a call would do.
pub struct Estimate {
    /// What it would charge.
    pub cost: Credits,
    /// The provider that would be asked first.
    pub provider: String,
    /// What that provider would do, if it can tell.
    pub plan: Option<Value>,
    /// The warnings that the call would get before any work.
    pub warnings: Vec<Warning>,
}

/// Reads the body of any call that charges like the call itself, up to the point where it would
/// reserve credits. Images at addresses are not fetched.
///
/// # Errors
/// The first mistake, as for the call.
pub async fn estimate(app: &Arc<App>, account: &AccountId, body: Bytes) -> ApiResult<Estimate> {
    let reading = app.reading(account, body.len(), move |app| {
        let edit = app.catalogue.accept_estimate(&Body::parse(&body)?, request_limits(app))?;
        second_reading::first(app, edit)
    });
    let assignment = second_reading::second(app, account, reading.await?, None).await?;
    let (edit, reading) = (&assignment.edit, &assignment.reading);
    let provider = assignment.routes.first().map(|route| route.provider.name().to_owned());
    Ok(Estimate {
        cost: edit.price,
        provider: provider.unwrap_or_default(),
        plan: reading.plan.clone(),
        warnings: [&edit.warnings[..], &reading.warnings].concat(),
    })
}
