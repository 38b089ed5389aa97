//! The arguments of tools: from what an assistant sends to the body of a request to the API.

use rmcp::model::JsonObject;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::submission;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::intake::malformed;
use crate::http::shown;

/// The argument with the images, and the field of the API that it becomes.
const IMAGES: &str = "images";
const ADDRESSES: &str = "imageUrls";

/// What the ids of uploads start with.
const UPLOAD: &str = "upld_";

/// The arguments that only tools have.
#[derive(Default, Deserialize)]
pub(super) struct Own {
    /// What the account calls this call, so that repeating it changes nothing.
    #[serde(default)]
    idempotency_key: Option<String>,
    /// Whether the answer has the full image.
    #[serde(default)]
    full_image: Option<bool>,
    #[serde(default)]
    images: Option<Vec<String>>,
}

/// A request to the API, and how to answer it.
pub(super) struct Asked {
    /// The body of the request.
    pub(super) body: Vec<u8>,
    /// The checked `Idempotency-Key`.
    pub(super) idempotency_key: Option<String>,
    /// Whether the answer has the full image.
    pub(super) full_image: bool,
}

/// Turns the arguments of a tool that is charged into a request to the API. What this does not know
/// goes into the request, which warns of unknown fields.
///
/// # Errors
/// 400, naming the argument.
pub(super) fn asked(app: &App, mut arguments: JsonObject) -> ApiResult<Asked> {
    let own = ["idempotency_key", "full_image", IMAGES];
    let taken = own.into_iter().filter_map(|name| Some((name.to_owned(), arguments.remove(name)?)));
    let Own { idempotency_key, full_image, images } = read(taken.collect())?;
    if let Some(images) = images {
        let addresses = images.into_iter().enumerate();
        let addresses = addresses.map(|(index, image)| address(app, index, image));
        arguments.insert(ADDRESSES.to_owned(), addresses.collect::<ApiResult<_>>()?);
    }
    let idempotency_key = idempotency_key.map(|key| submission::checked(key.as_bytes()));
    Ok(Asked {
        body: serde_json::to_vec(&arguments).map_err(ApiError::internal)?,
        idempotency_key: idempotency_key.transpose()?,
        full_image: full_image.unwrap_or(false),
    })
}

/// The arguments as a `T`.
///
/// # Errors
/// 400, naming the argument.
pub(super) fn read<T: DeserializeOwned>(arguments: JsonObject) -> ApiResult<T> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| malformed(&error))
}

/// The address of an image: an upload has one of ours.
fn address(app: &App, index: usize, image: String) -> ApiResult<Value> {
    if image.starts_with(UPLOAD) {
        return Ok(app.upload_url(&image).into());
    }
    let scheme = image.split_once(':').map(|(scheme, _)| scheme.trim_start().to_ascii_lowercase());
    if matches!(scheme.as_deref(), Some("http" | "https" | "data")) {
        return Ok(image.into());
    }
    let message = format!(
        "`images[{index}]` is {:?}. Pass an id from upload_image, an http or https address, or a \
         data: URI. Files on your computer can only be read by `retouch mcp`, which runs there.",
        shown(&image)
    );
    Err(ApiError::about(Code::InvalidValue, &format!("{IMAGES}[{index}]"), message))
}

/// `error` in the words of the tools.
pub(super) fn in_our_words(mut error: ApiError) -> ApiError {
    let rename = |text: &str| text.replace(ADDRESSES, IMAGES);
    error.param = match error.param.as_deref() {
        // The API has several fields for images.
        Some("imageUrl") => Some(IMAGES.to_owned()),
        other => other.map(rename),
    };
    error.message = rename(
        &error
            .message
            .replace("Send `imageUrl`, `imageUrls` or `imageBase64`.", "Pass it in `images`."),
    );
    error
}
