//! From a request to what it asks for: fields and images in the terms of our own protocol.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::Kind;
use retouch_core::edit::{
    Body, LONG_TEXT_CHARS_MAX, Origin, PictureReferences, PictureSource, Supplement,
};
use serde_json::{Map, Value};
use url::Url;

use super::fields::{self, Values};
use super::form;
use crate::app::App;
use crate::edits::request_limits;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::bodies::BodyMemory;
use crate::http::intake::{Received, content_type};
use crate::http::multipart;

/// The most input images of a call. Models accept fewer.
pub(super) const INPUTS_MAX: usize = 16;

/// What a request asks for.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) kind: Kind,
    /// The fields, as a JSON body of `/api`.
    pub(super) body: Bytes,
    /// The images, and what else the request has.
    pub(super) supplement: Supplement,
    /// How many images to make.
    pub(super) n: u32,
    /// How to answer.
    pub(super) form: AnswerForm,
    /// Whether the answer is a stream of events.
    pub(super) is_stream: bool,
    /// What identifies a request with the same meaning.
    pub(super) fingerprint: [u8; 32],
}

/// How an answer contains its images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerForm {
    /// Their bytes in base64.
    Base64,
    /// Their addresses.
    Url,
}

/// The parts of a request, whichever form it has.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) values: Values,
    pub(super) pictures: Vec<PictureSource>,
    pub(super) mask: Option<PictureSource>,
    /// The names of unknown fields.
    pub(super) unknown: Vec<String>,
}

/// An image with the memory of the body that it came in, which is returned with the last image.
struct Held {
    bytes: Bytes,
    _memory: Arc<BodyMemory>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// What the request in `received` asks for.
///
/// # Errors
/// The first mistake in it that belongs to this protocol. The flow of an edit finds the others.
pub(super) async fn read(app: &Arc<App>, received: Received, kind: Kind) -> ApiResult<Ask> {
    let account = received.caller()?.account.id.clone();
    let length = received.body.len();
    app.reading(&account, length, move |app| ask(app, received, kind)).await
}

fn ask(app: &App, received: Received, kind: Kind) -> ApiResult<Ask> {
    let Received { body, memory, parts, .. } = received;
    let media_type = content_type(&parts.headers);
    let read = if multipart::is_form(media_type) {
        form::read(&body, multipart::boundary(media_type))?
    } else {
        of_json(app, &body)?
    };
    let Read { values, pictures, mask, unknown } = read;
    check_images(kind, &pictures, mask.as_ref())?;
    let model = values.text("model")?;
    let mut translated = values.translated()?;
    name_model(app, &mut translated, model);
    let mut warnings = values.warnings();
    warnings.extend(fields::unknown(&unknown));
    let memory = Arc::new(memory);
    let hold = |picture| held(picture, &memory);
    let supplement = Supplement {
        pictures: pictures.into_iter().map(hold).collect(),
        mask: mask.map(hold),
        instruction_chars_max: LONG_TEXT_CHARS_MAX,
        warnings,
    };
    let (n, is_stream, form) = (values.n()?, values.is_stream()?, answer_form(&values, model)?);
    let body = Bytes::from(Value::Object(translated).to_string());
    let fingerprint = Body::parse(&body)?.with(&supplement).fingerprint();
    Ok(Ask { kind, body, supplement, n, form, is_stream, fingerprint })
}

/// Reads a JSON body.
fn of_json(app: &App, body: &[u8]) -> ApiResult<Read> {
    let body = Body::parse(body)?;
    let mut values = Values::default();
    for name in fields::names() {
        if let Some(value) = body.scalar(name) {
            values.add(name, value)?;
        }
    }
    let reading = PictureReferences {
        limits: request_limits(app),
        count_max: INPUTS_MAX,
        upload_url: &|id| upload_url(app, id),
    };
    let mut pictures = body.referenced_pictures("images", &reading)?;
    pictures.extend(body.referenced_pictures("image", &reading)?);
    let mask = body.referenced_pictures("mask", &reading)?.into_iter().next();
    let is_known = |name: &str| {
        matches!(name, "images" | "image" | "mask") || fields::names().any(|known| known == name)
    };
    let names = body.names_shown().filter(|name| !is_known(name));
    let unknown = names.map(std::borrow::Cow::into_owned).collect();
    Ok(Read { values, pictures, mask, unknown })
}

/// Checks that there are images exactly if the call edits images.
fn check_images(
    kind: Kind,
    pictures: &[PictureSource],
    mask: Option<&PictureSource>,
) -> ApiResult<()> {
    let is_edit = kind == Kind::ImageEdit;
    if is_edit && pictures.is_empty() {
        let message = "There is no image. Send a form with one or more files as `image` or \
                       `image[]`, or JSON with `images`.";
        return Err(ApiError::about(Code::MissingField, "image", message));
    }
    if let Some(first) = pictures.first().or(mask).filter(|_| !is_edit) {
        let message = "This call makes an image from text and takes no images. To edit images, \
                       call /v1/images/edits.";
        return Err(ApiError::about(Code::TooManyImages, &first.param, message));
    }
    Ok(())
}

/// Names the model in the terms of our own protocol. The flow refuses a name that is unknown.
fn name_model(app: &App, body: &mut Map<String, Value>, model: Option<&str>) {
    if let Some(name) = model {
        let known = app.catalogue.find_model_openai(name).map(|model| model.id.as_str());
        body.insert("model".into(), known.unwrap_or(name).into());
    }
}

/// How to answer. Without `response_format`, clients expect base64 from models whose name says that
/// they are GPT image models, and addresses from all others.
fn answer_form(values: &Values, model: Option<&str>) -> ApiResult<AnswerForm> {
    match values.text("response_format")? {
        Some("b64_json") => Ok(AnswerForm::Base64),
        Some("url") => Ok(AnswerForm::Url),
        Some(_) => {
            let message = "`response_format` must be url or b64_json.";
            Err(ApiError::about(Code::InvalidValue, "response_format", message))
        }
        None => Ok(match model {
            Some(name) if !name.contains("gpt-image") && !name.contains("chatgpt-image") => {
                AnswerForm::Url
            }
            _ => AnswerForm::Base64,
        }),
    }
}

/// The address of the upload `id`, if that can be an id.
fn upload_url(app: &App, id: &str) -> Option<Url> {
    let is_id =
        !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Url::parse(&app.upload_url(id)).ok().filter(|_| is_id)
}

fn held(picture: PictureSource, memory: &Arc<BodyMemory>) -> PictureSource {
    match picture.origin {
        Origin::Address(_) => picture,
        Origin::Inline(bytes) => {
            let held = Held { bytes, _memory: Arc::clone(memory) };
            PictureSource { origin: Origin::Inline(Bytes::from_owner(held)), ..picture }
        }
    }
}
