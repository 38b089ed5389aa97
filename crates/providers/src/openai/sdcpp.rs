//! The native protocol of stable-diffusion.cpp's server: a job is sent in, then asked for.
//!
//! Its imitation of OpenAI's protocol reads settings out of the instruction; this one does not,
//! and its jobs outlive a connection. Facts: `examples/server/api.md` of that project.

use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::size::{self, Pixels, Sizes, Within};
use super::{verdict, warnings};
use crate::error::Refused;
use crate::upstream::shape::{self, Bounds};
use crate::upstream::words::{self, approximated};
use crate::upstream::{
    Answer, Artefact, Auth, Base64, Body, Call, Dialect, Fault, Harvest, Meaning, Order,
    PictureRules, Step, Submission, Ticket,
};

/// The native protocol of stable-diffusion.cpp's server.
#[derive(Clone, Copy, Debug, Default)]
pub struct SdCpp;

/// Its limits on sides, and what models of the 1-megapixel class make.
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

/// A job as it is sent in. What is left out is as the operator started the server.
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
    /// By chance: a server started without it draws the same picture every time.
    seed: i64,
    output_format: &'static str,
    /// Else the picture tells its instruction to everybody who has it.
    embed_image_metadata: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ref_images: Vec<Base64<'a>>,
}

/// A job as the server tells of it.
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
            // The job goes on, whatever is wrong with asking for it just now: it is asked again.
            200..=299 => match answer.json() {
                Ok(job) => of_job(ticket, job, answer),
                Err(_) => Err(Fault::busy(answer.shown(), None)),
            },
            404 | 410 => Err(Fault::Lost(answer.shown())),
            429 | 500..=599 => Err(Fault::busy(answer.shown(), answer.retry_after_ms())),
            _ => Err(Fault::Failed(answer.shown())),
        }
    }

    /// More often than a vendor's: it is the operator's own, and nobody counts.
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

/// What a job that the server knows has come to.
fn of_job(ticket: &Ticket, job: Job, answer: &Answer) -> Meaning {
    match job.status.as_deref() {
        Some("queued" | "generating") => Ok(Step::Working { wait_ms: None }),
        Some("completed") => {
            let images = job.result.map(|result| result.images).unwrap_or_default();
            let files = images.iter().map(|image| words::decode_base64(&image.b64_json));
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

/// The size to ask for: an edit without one keeps the shape of its first picture, since the
/// server's own default is square.
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

/// The fields of the pictures that the server crops, since it brings all of them to the size of
/// the result.
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
