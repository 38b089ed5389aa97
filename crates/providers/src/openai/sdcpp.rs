//! The native protocol of stable-diffusion.cpp's server: a job is submitted and then polled.
//!
//! Unlike the server's OpenAI-compatible protocol, it does not read settings from the instruction,
//! and its jobs survive a lost connection. Source: `examples/server/api.md` of that project.

use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::size::{self, Pixels, Sizes, Within};
use super::{verdict, warnings};
use crate::error::Refused;
use crate::upstream::shape::{self, Bounds};
use crate::upstream::text;
use crate::upstream::warnings::approximated;
use crate::upstream::{
    Answer, Artefact, Auth, Base64, Body, Call, Dialect, Fault, Harvest, Meaning, Order,
    PictureRules, Step, Submission, Ticket,
};

/// The native protocol of stable-diffusion.cpp's server.
#[derive(Clone, Copy, Debug, Default)]
pub struct SdCpp;

/// The server's limits on sides, and the area of models of the 1-megapixel class.
const SIZES: Within = Within {
    bounds: Bounds {
        multiple_px: 16,
        side_px_min: 64,
        side_px_max: 4096,
        area_px_min: 64 * 64,
        area_px_max: 2048 * 2048,
    },
    ratio_max: 8.0,
    area_px: 1024 * 1024,
    usual: &[],
};

/// A job to submit. Anything left out is as the operator started the server.
#[derive(Serialize)]
struct NewJob<'a> {
    prompt: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    negative_prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    batch_count: u32,
    /// A negative seed means a random one. Without it, the server would draw the same image every
    /// time.
    seed: i64,
    output_format: &'static str,
    /// Off, because the image's metadata would otherwise contain the instruction.
    embed_image_metadata: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ref_images: Vec<Base64<'a>>,
}

/// A job as the server reports it.
#[derive(Deserialize)]
struct Job {
    id: Option<String>,
    status: Option<String>,
    result: Option<JobResult>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct JobResult {
    #[serde(default)]
    images: Vec<JobImage>,
}

#[derive(Deserialize)]
struct JobImage {
    #[serde(default)]
    b64_json: String,
}

impl Dialect for SdCpp {
    fn auth(&self) -> Auth {
        Auth::Bearer
    }

    fn read(&self, edit: &Edit, _model: &str) -> Result<Vec<Warning>, Refused> {
        warnings::makes_pictures(edit)?;
        let mut warnings = Vec::from_iter(warnings::of_shape(edit, Sizes::Within(SIZES)));
        warnings.extend(warnings::of_quality(edit));
        warnings.extend(warnings::of_switches(edit));
        Ok(warnings)
    }

    fn picture_rules(&self, _model: &str) -> PictureRules {
        PictureRules { side_px_max: 4096, pixels_max: 4096 * 4096, ..PictureRules::GENEROUS }
    }

    fn submit(&self, order: &Order<'_>, _uploaded: &[Answer]) -> Result<Submission, Fault> {
        let (width, height) = chosen(order).unzip();
        let job = NewJob {
            prompt: &order.edit.instruction,
            negative_prompt: order.edit.negative_prompt.as_deref(),
            width,
            height,
            batch_count: 1,
            seed: -1,
            output_format: "png",
            embed_image_metadata: false,
            ref_images: pictures(order),
        };
        Ok(Call::post("/sdcpp/v1/img_gen", Body::json(&job)).into())
    }

    fn submitted(&self, order: &Order<'_>, answer: &Answer) -> Meaning {
        if !answer.status.is_success() {
            return Err(verdict::of(answer));
        }
        let job: Job = answer.json()?;
        let id = job.id.filter(|id| !id.is_empty());
        let id = id.ok_or_else(|| {
            Fault::Failed(format!("no job ID in the response: {}", answer.shown()))
        })?;
        Ok(Step::Submitted(Ticket(json!({ "id": id, "cropped": cropped(order) }))))
    }

    fn poll(&self, ticket: &Ticket) -> Call {
        let id = ticket.0["id"].as_str().unwrap_or_default();
        let id: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        Call::get(format!("/sdcpp/v1/jobs/{id}"))
    }

    fn polled(&self, ticket: &Ticket, answer: &Answer) -> Meaning {
        match answer.status.as_u16() {
            // A failed status request does not affect the job, so Retouch asks again.
            200..=299 => match answer.json() {
                Ok(job) => of_job(ticket, job, answer),
                Err(_) => Err(Fault::busy(answer.shown(), None)),
            },
            404 | 410 => Err(Fault::Lost(answer.shown())),
            429 | 500..=599 => Err(Fault::busy(answer.shown(), answer.retry_after_ms())),
            _ => Err(Fault::Failed(answer.shown())),
        }
    }

    /// More often than hosted providers, because the operator's own server has no rate limit.
    fn poll_wait_ms(&self, round: u32) -> u64 {
        (250 + 250 * u64::from(round)).min(2_000)
    }

    fn probe(&self) -> Call {
        Call::get("/sdcpp/v1/capabilities")
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        if !answer.status.is_success() {
            return Err(format!("{}; check base_url (http://HOST:1234)", answer.shown()));
        }
        let capabilities: Value = answer.json().map_err(|_| answer.shown())?;
        let model = capabilities["model"]["name"].as_str().unwrap_or("an unnamed model");
        Ok(format!("serves {model}"))
    }
}

/// What the state of a job means.
fn of_job(ticket: &Ticket, job: Job, answer: &Answer) -> Meaning {
    match job.status.as_deref() {
        Some("queued" | "generating") => Ok(Step::Working { wait_ms: None }),
        Some("completed") => {
            let images = job.result.map(|result| result.images).unwrap_or_default();
            let files = images.iter().map(|image| text::decode_base64(&image.b64_json));
            let artefacts: Vec<_> =
                files.map(|file| file.map(Artefact::Bytes)).collect::<Result<_, _>>()?;
            if artefacts.is_empty() {
                return Err(Fault::Failed(format!("no image in the job: {}", answer.shown())));
            }
            Ok(Step::Done(Harvest { artefacts, warnings: warn(ticket), ..Harvest::default() }))
        }
        _ => Err(Fault::Failed(format!("the job ended: {}", job.error.unwrap_or_default()))),
    }
}

/// The size to request. An edit without a size keeps the shape of its first image, because the
/// server's default is square.
fn chosen(order: &Order<'_>) -> Option<Pixels> {
    let asked = size::asked(order.edit, Sizes::Within(SIZES));
    let first = || {
        let picture = order.pictures.first().filter(|_| order.edit.kind == Kind::ImageEdit)?;
        let area_px = u64::from(picture.width) * u64::from(picture.height);
        let ratio = shape::first_ratio(order)?;
        Some(shape::of_area(ratio, area_px.min(SIZES.area_px), SIZES.bounds))
    };
    asked.or_else(first)
}

fn pictures<'a>(order: &Order<'a>) -> Vec<Base64<'a>> {
    let bytes = order.pictures.iter().map(|picture| picture.bytes.as_ref());
    bytes.map(|bytes| Base64 { prefix: "", bytes }).collect()
}

/// The fields of the images that the server will crop, because it resizes all of them to the size
/// of the result.
fn cropped<'a>(order: &Order<'a>) -> Vec<&'a str> {
    let Some(made) = chosen(order) else { return Vec::new() };
    let pictures = order.edit.pictures.iter().zip(order.pictures);
    let other = pictures.filter(|(_, picture)| {
        !shape::is_same(made, f64::from(picture.width) / f64::from(picture.height))
    });
    other.map(|(source, _)| source.param.as_str()).collect()
}

fn warn(ticket: &Ticket) -> Vec<Warning> {
    let params = ticket.0["cropped"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let how = "was cropped around its center, because the provider fits every input image to the \
               aspect ratio of the result.";
    params.map(|param| approximated(param, how)).collect()
}
