//! Why an image was refused, explained to the person who sent it.

use super::{Excess, Format, foreign};
use thiserror::Error;

/// Why bytes could not be decoded. Decoding returns either this or the whole image, never a part.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// Nothing was sent.
    #[error("The image has no bytes. Send the whole file.")]
    Empty,
    /// The first bytes match no supported format.
    #[error(
        "Unknown image format: the data begins with {start}. \
         Supported formats are JPEG, PNG, WebP, GIF, BMP and TIFF. {advice}"
    )]
    UnknownFormat {
        /// The first bytes, in hexadecimal and as text.
        start: String,
        /// What to send instead.
        advice: &'static str,
    },
    /// The image is in a format that Retouch recognizes but can't decode.
    #[error("This is {name}, which is not supported. {advice}")]
    Foreign {
        /// What it is, with its article.
        name: &'static str,
        /// What to send instead.
        advice: &'static str,
    },
    /// The image is valid, but exceeds a limit.
    #[error(transparent)]
    TooLarge(#[from] Excess),
    /// The bytes end before the image does.
    #[error("The {format} image is incomplete: the data ends too early. Send the whole file.")]
    Truncated {
        /// The format, from the first bytes.
        format: Format,
    },
    /// The bytes break the rules of their format.
    #[error("The {format} image is damaged: {reason}.")]
    Damaged {
        /// The format, from the first bytes.
        format: Format,
        /// What is wrong, without a full stop.
        reason: String,
    },
    /// A valid variant of the format that Retouch doesn't support.
    #[error(
        "This kind of {format} image is not supported: {reason}. \
         Save it as a standard PNG or JPEG."
    )]
    Unsupported {
        /// The format of the bytes.
        format: Format,
        /// Which variant it is, without a full stop.
        reason: String,
    },
    /// The image can be decoded, but can't be changed to meet the rules of the provider.
    #[error(
        "The provider can't accept this image of {width} x {height} pixels: {reason}. \
         Use one with a different shape or size."
    )]
    Unfit {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Which rule it can't meet, without a full stop.
        reason: String,
    },
    /// The image was decoded but could not be encoded. The encoders write to memory, so this should
    /// not happen.
    #[error("The image could not be saved: {reason}.")]
    Unwritten {
        /// What the encoder said, without a full stop.
        reason: String,
    },
}

impl DecodeError {
    pub(super) fn unknown_format(bytes: &[u8]) -> Self {
        if let Some((name, advice)) = foreign::recognized(bytes) {
            return Self::Foreign { name, advice };
        }
        let start = bytes.get(..bytes.len().min(START_BYTES_SHOWN)).unwrap_or_default();
        let hex: Vec<String> = start.iter().map(|byte| format!("{byte:02X}")).collect();
        let advice = advice(start);
        let start = format!("{} (\"{}\")", hex.join(" "), start.escape_ascii());
        Self::UnknownFormat { start, advice }
    }

    pub(super) fn damaged(format: Format, reason: impl std::fmt::Display) -> Self {
        Self::Damaged { format, reason: shortened(&reason.to_string()) }
    }

    pub(super) fn unsupported(format: Format, reason: impl std::fmt::Display) -> Self {
        Self::Unsupported { format, reason: shortened(&reason.to_string()) }
    }

    pub(super) fn unwritten(reason: impl std::fmt::Display) -> Self {
        Self::Unwritten { reason: shortened(&reason.to_string()) }
    }

    pub(super) fn from_io(format: Format, error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Self::Truncated { format },
            _ => Self::damaged(format, error),
        }
    }
}

/// What to do about data in an unknown format.
fn advice(start: &[u8]) -> &'static str {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    if start.iter().all(|byte| *byte == 0) {
        return "The file was probably not copied completely. Send it again.";
    }
    if start.starts_with(b"%PDF") || start.starts_with(b"PK") {
        return "Send an image from the document or archive instead.";
    }
    match start.iter().all(is_text) {
        true => {
            "It looks like text: send the bytes of the image file, not a URL, a web page or JSON."
        }
        false => "Save the image as PNG or JPEG and send that.",
    }
}

/// How many bytes to quote: enough to recognize an HTML page or a PDF.
const START_BYTES_SHOWN: usize = 8;

/// The maximum length of a decoder's own message, because some quote what they read.
const REASON_CHARS_MAX: usize = 160;

fn shortened(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or_default();
    let end = INTERNAL.iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
    let line = line.get(..end).unwrap_or_default();
    line.trim_end_matches(['.', ' ', ',', '"', '(']).chars().take(REASON_CHARS_MAX).collect()
}

/// Where a decoder's message turns from the image to internals, such as the names of types or
/// advice for programmers. The rest of the message is cut off.
const INTERNAL: [&str; 3] = [" while decoding ", " { ", " If use `"];
