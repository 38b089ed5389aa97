//! Veo's responses: an operation, and later its result or its error.

use http::StatusCode;
use retouch_core::Warning;
use serde::Deserialize;
use url::Url;

use super::super::trouble;
use crate::provider::Usage;
use crate::upstream::{Answer, Artefact, Call, Fault, Harvest, Meaning, Order, Step, Ticket, text};

/// Maximum length of an operation's name, in bytes.
const NAME_BYTES_MAX: usize = 512;
/// `google.rpc.Code.INVALID_ARGUMENT`.
const INVALID_ARGUMENT: i64 = 3;

/// What the response to a submission means.
pub(in super::super) fn submitted(order: &Order<'_>, answer: &Answer) -> Meaning {
    let operation: Operation = answer.json()?;
    let Some(name) = operation.name.as_deref().filter(|name| is_name(name)) else {
        return Err(Fault::Failed("the operation has no usable name".into()));
    };
    let ticket = super::ticket(order, name);
    if operation.done { operation.ended(&ticket) } else { Ok(Step::Submitted(ticket)) }
}

/// The name of the operation in `ticket`. Empty if the ticket is not valid.
pub(in super::super) fn operation_of(ticket: &Ticket) -> &str {
    let name = ticket.0.get("operation").and_then(|name| name.as_str());
    name.filter(|name| is_name(name)).unwrap_or_default()
}

/// What the response to a status request for `ticket` means. The work is in progress and may be
/// billed. A failed status request says nothing about it, so Retouch asks again.
pub(in super::super) fn polled(ticket: &Ticket, answer: &Answer) -> Meaning {
    if answer.status == StatusCode::NOT_FOUND {
        return Err(Fault::Lost(answer.shown()));
    }
    match trouble::check(answer) {
        Ok(()) => answer.json::<Operation>()?.ended_or_not(ticket),
        Err(asked_again @ Fault::NotAccepted { .. }) => Err(asked_again),
        Err(_) if answer.status.is_server_error() => {
            Err(Fault::busy(answer.shown(), trouble::wait_ms(answer)))
        }
        Err(_) => Err(Fault::Failed(answer.shown())),
    }
}

#[derive(Deserialize)]
struct Operation {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    error: Option<OperationError>,
    #[serde(default)]
    response: Option<Response>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OperationError {
    code: i64,
    message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default)]
    generate_video_response: Option<Videos>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Videos {
    generated_samples: Vec<Sample>,
    rai_media_filtered_count: u64,
    rai_media_filtered_reasons: Vec<String>,
}

#[derive(Deserialize)]
struct Sample {
    video: Video,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Video {
    #[serde(default)]
    uri: Option<String>,
    #[serde(default)]
    encoded_video: Option<String>,
}

impl Operation {
    fn ended_or_not(self, ticket: &Ticket) -> Meaning {
        if self.done { self.ended(ticket) } else { Ok(Step::Working { wait_ms: None }) }
    }

    fn ended(self, ticket: &Ticket) -> Meaning {
        if let Some(error) = self.error {
            return Err(error.meaning());
        }
        let videos = self.response.and_then(|response| response.generate_video_response);
        let videos = videos.unwrap_or_default();
        if videos.generated_samples.is_empty() {
            return Err(videos.why_none());
        }
        let artefacts = videos.generated_samples.into_iter().map(|sample| sample.video.artefact());
        Ok(Step::Done(Harvest {
            artefacts: artefacts.collect::<Result<_, _>>()?,
            usage: Usage::default(),
            warnings: warnings_of(ticket),
        }))
    }
}

impl OperationError {
    fn meaning(self) -> Fault {
        match self.code {
            INVALID_ARGUMENT => trouble::refusal(&self.message),
            code => {
                Fault::Failed(format!("the operation ended with code {code}: {}", self.message))
            }
        }
    }
}

impl Videos {
    fn why_none(self) -> Fault {
        if self.rai_media_filtered_count > 0 || !self.rai_media_filtered_reasons.is_empty() {
            return Fault::content(&self.rai_media_filtered_reasons.join(" "));
        }
        Fault::Failed("the operation finished without a video".into())
    }
}

impl Video {
    /// The result. The driver adds the key to the download if the address is Google's own.
    fn artefact(self) -> Result<Artefact, Fault> {
        if let Some(encoded) = self.encoded_video {
            return Ok(Artefact::Bytes(text::decode_base64(&encoded)?));
        }
        let uri = self.uri.ok_or_else(|| Fault::Failed("the video has no URL".into()))?;
        let url = Url::parse(&uri).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| Fault::Failed("the video's URL is invalid".into()))?;
        Ok(Artefact::Call(Call::get_url(url)))
    }
}

fn warnings_of(ticket: &Ticket) -> Vec<Warning> {
    let kept = ticket.0.get("warnings").cloned();
    kept.and_then(|kept| serde_json::from_value(kept).ok()).unwrap_or_default()
}

/// Whether `name` is a path such as `models/veo-3.1/operations/abc`, so that a request for it
/// cannot lead anywhere else.
fn is_name(name: &str) -> bool {
    let segment = |text: &str| {
        !text.is_empty()
            && !text.chars().all(|character| character == '.')
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
    };
    name.len() <= NAME_BYTES_MAX && name.contains('/') && name.split('/').all(segment)
}
