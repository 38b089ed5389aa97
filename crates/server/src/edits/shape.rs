//! The shape that a request asks for, which a provider may not keep to.

use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_core::image::{AspectRatio, Size};
use retouch_engine::codec;
use retouch_providers::Output;

/// The aspect ratio and the size that a request asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) aspect_ratio: AspectRatio,
    pub(super) size: Option<Size>,
}

impl Default for Shape {
    fn default() -> Self {
        Self { aspect_ratio: AspectRatio::Auto, size: None }
    }
}

impl Shape {
    /// The shape that `edit` asks for.
    pub(super) fn of(edit: &Edit) -> Self {
        Self { aspect_ratio: edit.aspect_ratio, size: edit.size }
    }

    /// The warning that an image has another shape, unless it or its edit has one about the same field
    /// already.
    pub(super) fn warning(self, output: &Output, earlier: &[Warning]) -> Option<Warning> {
        let (width, height) = size(output)?;
        let got = format!("The provider returned an image of {width}x{height} pixels");
        let (param, message) = match self.size {
            Some(size) if (size.width(), size.height()) != (width, height) => {
                ("size", format!("{got} instead of {size}."))
            }
            None if !self.aspect_ratio.is_of((width, height)) => {
                let ratio = self.aspect_ratio;
                ("aspectRatio", format!("{got}, whose aspect ratio is not {ratio}."))
            }
            _ => return None,
        };
        let is_known = |known: &Warning| known.param.as_deref() == Some(param);
        let is_new = !output.warnings.iter().chain(earlier).any(is_known);
        is_new.then(|| Warning::about("result_differs", param, message))
    }
}

/// Width and height of a result in pixels, if it is an image.
pub(super) fn size(output: &Output) -> Option<(u32, u32)> {
    // A result may be larger than the limit for uploads.
    let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
    Some(codec::probe(&output.file, &limits).ok()?.size())
}
