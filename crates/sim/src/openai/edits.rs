//! `POST /v1/images/edits`, a form.

use axum::extract::{Path, State};
use axum::response::Response;
use bytes::Bytes;

use super::answer::{What, answer};
use super::errors::Error;
use super::flavour::{Flavour, Server};
use super::models::{Generation, find};
use super::order::{Order, check_inputs};
use crate::arrived::Arrived;
use crate::fields::{FieldError, Fields, Form, Problem};
use crate::picture::{Format, sniff};

/// The fields of the form that are numbers or flags. A form itself contains only text.
const NUMBERS: [&str; 3] = ["n", "output_compression", "partial_images"];
const FLAGS: [&str; 1] = ["stream"];

const MASK_BYTES_MAX: usize = 4_000_000;

/// Handles the call.
pub(super) async fn edits(State(server): State<Server>, arrived: Arrived) -> Response {
    match server.authorise(&arrived).and_then(|()| read(arrived, server.flavour)) {
        Ok(order) => answer(&server, What::Edit, order).await,
        Err(error) => server.tell(error),
    }
}

/// Handles the call to a deployment, which determines the model.
pub(super) async fn at_deployment(
    State(server): State<Server>,
    Path(deployment): Path<String>,
    arrived: Arrived,
) -> Response {
    let allowed = server.authorise(&arrived).and_then(|()| server.check_version(&arrived));
    match allowed.and_then(|()| read(arrived.with_model(&deployment), server.flavour)) {
        Ok(order) => answer(&server, What::Edit, order).await,
        Err(error) => server.tell(error),
    }
}

fn read(arrived: Arrived, flavour: Flavour) -> Result<Order, Error> {
    let mut form = Form::body(arrived)?;
    let inputs = form.files(&["image", "image[]"])?;
    let masks = form.files(&["mask"])?;
    let mut fields = form.into_fields(&NUMBERS, &FLAGS)?;
    check_inputs(&inputs)?;
    check_mask(&masks, &inputs)?;
    check_fidelity(&mut fields, flavour)?;
    Order::read(fields, &inputs, flavour)
}

/// Checks the mask: one small PNG with the size of the first image.
fn check_mask(masks: &[Bytes], inputs: &[Bytes]) -> Result<(), Error> {
    let [mask] = masks else {
        let several = FieldError::value("mask", "one file");
        return if masks.is_empty() { Ok(()) } else { Err(several.into()) };
    };
    if mask.len() >= MASK_BYTES_MAX {
        return Err(FieldError::value("mask", "less than 4MB").into());
    }
    let mask = sniff(mask).filter(|mask| mask.format == Format::Png);
    let mask = mask.ok_or_else(|| Error::not_a_picture("mask"))?;
    let first = inputs.first().and_then(|first| sniff(first));
    if first.is_some_and(|first| (first.width, first.height) != (mask.width, mask.height)) {
        return Err(FieldError::value("mask", "of the same size as the first image").into());
    }
    Ok(())
}

/// Checks whether the model lets callers choose how closely the inputs are kept.
fn check_fidelity(fields: &mut Fields, flavour: Flavour) -> Result<(), Error> {
    let Some(fidelity) = fields.one_of("input_fidelity", &["high", "low"])? else { return Ok(()) };
    let mut copy = fields.clone();
    match find(&copy.required_text("model")?, flavour)? {
        Generation::One => Ok(()),
        Generation::OneMini if fidelity == "low" => Ok(()),
        Generation::OneMini => {
            Err(FieldError::value("input_fidelity", "'low' for this model").into())
        }
        _ => Err(FieldError { path: "input_fidelity".into(), problem: Problem::Unknown }.into()),
    }
}
