//! Veo: a request for a video returns the name of an operation, which is polled until it is done.

mod operation;
mod plan;

use retouch_core::Warning;
use retouch_core::edit::Edit;
use serde::Serialize;
use serde_json::json;

use self::plan::Plan;
use super::request::common_warnings;
use crate::upstream::{Base64, Body, Order, Ticket};

pub(super) use operation::{operation_of, polled, submitted};

/// What `model` will do differently than requested.
pub(super) fn read(edit: &Edit, model: &str) -> Vec<Warning> {
    let mut warnings = common_warnings(edit);
    warnings.extend(plan::warnings(edit, model));
    warnings
}

/// The request.
pub(super) fn body(order: &Order<'_>) -> Body {
    let edit = order.edit;
    let plan = Plan::of(order);
    let mut frames = order.pictures.iter().map(|picture| Image {
        bytes_base64_encoded: Base64 { prefix: "", bytes: &picture.bytes },
        mime_type: picture.format.media_type(),
    });
    Body::json(&Request {
        instances: [Instance {
            prompt: &edit.instruction,
            image: frames.next(),
            last_frame: frames.next(),
        }],
        parameters: Parameters {
            sample_count: 1,
            duration_seconds: plan.seconds,
            aspect_ratio: plan.ratio.map(|(width, height)| format!("{width}:{height}")),
            resolution: plan.resolution,
            negative_prompt: edit.negative_prompt.as_deref(),
        },
    })
}

/// The ticket for the operation `name`, together with the warnings about its shape.
fn ticket(order: &Order<'_>, name: &str) -> Ticket {
    let warnings: Vec<Warning> = plan::first_shape_warning(order).into_iter().collect();
    Ticket(json!({ "operation": name, "warnings": warnings }))
}

#[derive(Serialize)]
struct Request<'a> {
    instances: [Instance<'a>; 1],
    parameters: Parameters<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Instance<'a> {
    prompt: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<Image<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_frame: Option<Image<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Image<'a> {
    bytes_base64_encoded: Base64<'a>,
    mime_type: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Parameters<'a> {
    sample_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_seconds: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aspect_ratio: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolution: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    negative_prompt: Option<&'a str>,
}
