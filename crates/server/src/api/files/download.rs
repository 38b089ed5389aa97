//! Downloads of stored files: as an attachment with a name, and in another format.

use std::sync::Arc;

use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use retouch_core::AccountId;
use retouch_core::image::OutputFormat;
use retouch_engine::codec;
use retouch_providers::turns::Room;
use retouch_providers::{Media, ProviderError};
use retouch_store::Blob;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code, overloaded};

/// The maximum length of the name of a download, in characters.
const NAME_CHARS_MAX: usize = 120;
/// How many conversions may wait for their turn.
const ROOM: Room = Room { all_max: 256, per_account_max: 16 };
/// What is percent-encoded in a header field (RFC 8187): everything but `attr-char`.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'%')
    .add(b'\'')
    .add(b'(')
    .add(b')')
    .add(b'*')
    .add(b',')
    .add(b'/')
    .add(b':')
    .add(b';')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'?')
    .add(b'@')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'{')
    .add(b'}');

/// What a caller wants of a file.
#[derive(Debug)]
pub(super) struct Wanted {
    /// The type to send.
    pub(super) media: Media,
    /// Whether a copy for screens is enough.
    pub(super) is_reduced: bool,
    /// The value of `Content-Disposition`, for a download.
    attachment: Option<HeaderValue>,
}

impl Wanted {
    /// What the query of `uri` asks for of a file of type `media`.
    ///
    /// # Errors
    /// 400 if it asks for a format that the file cannot have.
    pub(super) fn read(uri: &Uri, media: Media) -> ApiResult<Self> {
        let query = uri.query().unwrap_or_default().as_bytes();
        let named = |wanted: &str| {
            let mut fields = form_urlencoded::parse(query);
            fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
        };
        let media = match named("format") {
            None => media,
            Some(name) => {
                let format = OutputFormat::parse(&name).filter(|_| media.is_image());
                format.map(Media::of_format).ok_or_else(|| {
                    let message = "`format` must be png, jpeg or webp, and the file an image.";
                    ApiError::about(Code::InvalidValue, "format", message)
                })?
            }
        };
        let attachment = named("download").map(|name| attachment(&name, media)).transpose()?;
        let is_reduced = match named("reduced").as_deref() {
            None | Some("false") => false,
            Some("true")
                if media.is_image() && attachment.is_none() && named("format").is_none() =>
            {
                true
            }
            Some(_) => {
                let message = "`reduced` must be true or false. It works only for images, and \
                               without `format` and `download`.";
                return Err(ApiError::about(Code::InvalidValue, "reduced", message));
            }
        };
        Ok(Self { media, is_reduced, attachment })
    }

    /// Whether the file is sent as it is stored, to be shown.
    pub(super) fn is_plain(&self, media: Media) -> bool {
        self.media == media && self.attachment.is_none() && !self.is_reduced
    }

    /// Adds the name of the download to a response.
    pub(super) fn name(&self, response: &mut Response) {
        if let Some(attachment) = &self.attachment {
            response.headers_mut().insert(header::CONTENT_DISPOSITION, attachment.clone());
        }
    }
}

/// The stored image as a file of type `media`. Callers take turns, because anyone who knows the
/// address can ask for any number of conversions.
pub(super) async fn converted(
    app: &Arc<App>,
    blob: Blob,
    media: Media,
    whose: &AccountId,
) -> ApiResult<Response> {
    let encoding = media.encoding(None).ok_or_else(|| ApiError::not_found("file"))?;
    let turn = app.previews.turn(whose, ROOM).await;
    let _turn = turn.map_err(|_full| overloaded())?;
    let _memory = app.bodies.try_take(blob.bytes).ok_or_else(overloaded)?;
    let file = blob.into_bytes().await?;
    // A result may be larger than the limit for uploads.
    let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
    let header = codec::probe(&file, &limits).map_err(ApiError::internal)?;
    let admitted = app.workshop.admit(codec::convert_bytes(&header, encoding)).await;
    let permit = admitted.map_err(ProviderError::from)?;
    let work = permit.run(move || codec::convert(&file, &limits, encoding));
    let made = work.await.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    let held = app.bodies.try_take(made.bytes.len() as u64).ok_or_else(overloaded)?;
    Ok(held.tied_to(made.bytes.into()).into_response())
}

fn attachment(name: &str, media: Media) -> ApiResult<HeaderValue> {
    let name = safe(name, media);
    let plain: String = name
        .chars()
        .map(|letter| match letter {
            ' '..='~' if letter != '"' && letter != '\\' && letter != '%' => letter,
            _ => '_',
        })
        .collect();
    let encoded = utf8_percent_encode(&name, ENCODED);
    let value = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    HeaderValue::from_str(&value).map_err(ApiError::internal)
}

/// A name that is one file in the folder for downloads on any system, with the extension of `media`.
fn safe(name: &str, media: Media) -> String {
    let is_part = |letter: &char| {
        let is_reserved = matches!(letter, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
        // Marks that change the direction of a text can disguise an extension.
        let is_hidden = matches!(letter, '\u{200B}'..='\u{200F}')
            || matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        !letter.is_control() && !is_reserved && !is_hidden
    };
    let name: String = name.chars().filter(is_part).take(NAME_CHARS_MAX).collect();
    let known = ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "heic", "mp4"];
    let stem = match name.rsplit_once('.') {
        Some((stem, end)) if known.iter().any(|it| end.eq_ignore_ascii_case(it)) => stem,
        _ => name.as_str(),
    };
    let stem = stem.trim_matches(|letter: char| letter == '.' || letter.is_whitespace());
    let stem = if stem.is_empty() { "retouch" } else { stem };
    format!("{stem}{}", media.extension())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_that_of_one_file_with_the_extension_of_its_content() {
        for (asked, expected) in [
            ("photo.jpg", "photo.png"),
            ("photo", "photo.png"),
            ("my.holiday.JPEG", "my.holiday.png"),
            ("v1.2", "v1.2.png"),
            ("../../etc/passwd", "etcpasswd.png"),
            ("a\r\nSet-Cookie: b", "aSet-Cookie b.png"),
            ("..", "retouch.png"),
            ("", "retouch.png"),
            ("Käse \u{202E}gpj.exe", "Käse gpj.exe.png"),
        ] {
            assert_eq!(safe(asked, Media::Png), expected);
        }
    }

    #[test]
    fn every_name_makes_a_valid_header() {
        let header = attachment("Käse \"1\" 100%; x.jpg", Media::Jpeg).unwrap();
        assert_eq!(
            header,
            "attachment; filename=\"K_se 1 100_; x.jpg\"; \
             filename*=UTF-8''K%C3%A4se%201%20100%25%3B%20x.jpg"
        );
    }
}
