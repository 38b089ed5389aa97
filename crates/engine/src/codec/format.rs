//! Detects the format of an image from its bytes alone.

use std::fmt;

/// The supported input formats. A declared media type is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// JPEG (ISO/IEC 10918), sequential and progressive.
    Jpeg,
    /// PNG (W3C). Of an animated one, the default image is read.
    Png,
    /// WebP (RFC 9649). Of an animated one, the first frame is read.
    WebP,
    /// GIF 87a and 89a, read as the first frame on its canvas.
    Gif,
    /// Windows and OS/2 bitmaps.
    Bmp,
    /// TIFF 6.0 and `BigTIFF`, read as the first page.
    Tiff,
}

impl Format {
    /// Recognizes an image by its first bytes. Returns `None` if they match no supported format.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        SIGNATURES
            .iter()
            .find(|(signature, _)| bytes.starts_with(signature))
            .map(|(_, format)| *format)
            .or_else(|| is_webp(bytes).then_some(Self::WebP))
    }

    /// The media type for responses and for providers that need one.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Gif => "image/gif",
            Self::Bmp => "image/bmp",
            Self::Tiff => "image/tiff",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::WebP => "WebP",
            Self::Gif => "GIF",
            Self::Bmp => "BMP",
            Self::Tiff => "TIFF",
        })
    }
}

/// Signatures from the WHATWG MIME Sniffing standard, and from TIFF 6.0 and `BigTIFF`.
const SIGNATURES: [(&[u8], Format); 9] = [
    (b"\xFF\xD8\xFF", Format::Jpeg),
    (b"\x89PNG\r\n\x1A\n", Format::Png),
    (b"GIF87a", Format::Gif),
    (b"GIF89a", Format::Gif),
    (b"BM", Format::Bmp),
    (b"II\x2A\x00", Format::Tiff),
    (b"MM\x00\x2A", Format::Tiff),
    (b"II\x2B\x00", Format::Tiff),
    (b"MM\x00\x2B", Format::Tiff),
];

fn is_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
}
