//! Removes everything from a file that the pixels don't depend on, so that no location, name, date,
//! comment, thumbnail or second image reaches anyone else. The image data is copied unchanged.

mod jpeg;
mod png;
mod webp;

use super::{DecodeError, Format};
use std::borrow::Cow;

/// Who receives a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// A provider. It gets only forms that every decoder reads the same way.
    Provider,
    /// The caller. The file may have any form that browsers show, and may state how it was made.
    Caller,
}

/// Returns the file reduced to its image, borrowed if there is nothing to remove. Returns `None` if
/// the pixels have to be encoded again: because the image has to be turned, has another color
/// space, is animated, has more than 8 bits per sample, or has an unusual form.
///
/// # Errors
/// [`DecodeError`] when the file is cut off or a checksum is wrong.
pub(super) fn strip(
    bytes: &[u8],
    format: Format,
    audience: Audience,
) -> Result<Option<Cow<'_, [u8]>>, DecodeError> {
    match format {
        Format::Png => png::strip(bytes, audience),
        Format::Jpeg => Ok(jpeg::strip(bytes)),
        Format::WebP => Ok(webp::strip(bytes)),
        Format::Gif | Format::Bmp | Format::Tiff => Ok(None),
    }
}
