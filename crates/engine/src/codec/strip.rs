//! Removes everything from a file that the pixels don't depend on, so that no location, name, date,
//! comment, thumbnail or second image reaches anyone else. The image data is copied unchanged.

mod jpeg;
mod png;
mod webp;

use super::{DecodeError, Format};
use std::borrow::Cow;

/// Whom a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// A provider: only forms that every decoder reads alike.
    Provider,
    /// The caller: any form that a browser shows, with what it says of how it was made.
    Caller,
}

/// The file with nothing but its picture; borrowed when there is nothing else in it. `None` when
/// the pixels themselves have to be written anew: turned, of another color space, moving,
/// of more than 8 bits, or of an unusual form.
///
/// # Errors
/// [`DecodeError`] when the file is cut off or a check sum is wrong.
pub(super) fn strip(
    bytes: &[u8],
    format: Format,
    whom: For,
) -> Result<Option<Cow<'_, [u8]>>, DecodeError> {
    match format {
        Format::Png => png::strip(bytes, whom),
        Format::Jpeg => Ok(jpeg::strip(bytes)),
        Format::WebP => Ok(webp::strip(bytes)),
        Format::Gif | Format::Bmp | Format::Tiff => Ok(None),
    }
}
