//! Why a picture was refused, in words for the person who sent it.

use super::{Excess, Format};
use thiserror::Error;

/// Why bytes could not become a picture; no pixels are ever returned beside one of these.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// Nothing was sent.
    #[error("The picture is empty: it has no bytes. Send the whole file.")]
    Empty,
    /// The first bytes fit no format that is read here.
    #[error(
        "These bytes are not a picture in a known format (JPEG, PNG, WebP, GIF, BMP, TIFF); \
         they begin with {start}. {advice}"
    )]
    UnknownFormat {
        /// The first bytes, in hexadecimal and as text.
        start: String,
        /// What to send instead.
        advice: &'static str,
    },
    /// It is within its format but over a limit here.
    #[error(transparent)]
    TooLarge(#[from] Excess),
    /// The bytes end before the picture does.
    #[error(
        "The {format} picture is cut off: its bytes end before the picture does. Send it whole."
    )]
    Truncated {
        /// The format that the bytes began in.
        format: Format,
    },
    /// The bytes break the rules of their format.
    #[error("The {format} picture is damaged: {reason}.")]
    Damaged {
        /// The format that the bytes began in.
        format: Format,
        /// What is wrong, without a full stop.
        reason: String,
    },
    /// A lawful form of the format that is not read here.
    #[error("This kind of {format} picture cannot be read: {reason}. Save it in a common form.")]
    Unsupported {
        /// The format of the bytes.
        format: Format,
        /// Which form it is, without a full stop.
        reason: String,
    },
    /// It can be read, but in no form is it within what its receiver takes.
    #[error(
        "The picture of {width} x {height} pixels cannot be made to fit what the provider takes: \
         {reason}. Send one of another shape or size."
    )]
    Unfit {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Which rule stands against it, without a full stop.
        reason: String,
    },
    /// It was read and could not be written; with memory to write to, it does not happen.
    #[error("The picture could not be written anew: {reason}.")]
    Unwritten {
        /// What the encoder said, without a full stop.
        reason: String,
    },
}

impl DecodeError {
    pub(super) fn unknown_format(bytes: &[u8]) -> Self {
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

/// What to do about bytes of no known format.
fn advice(start: &[u8]) -> &'static str {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    if start.iter().all(|byte| *byte == 0) {
        return "They are zeros, as of a file that was not copied to its end: send it anew.";
    }
    if start.starts_with(b"%PDF") || start.starts_with(b"PK") {
        return "Send a picture that is in it instead of the document or archive.";
    }
    match start.iter().all(is_text) {
        true => {
            "They are text: send the bytes of the picture's file, not an address, a page or JSON."
        }
        false => "Save the picture as PNG or JPEG and send that.",
    }
}

/// Enough to tell an HTML page or a PDF from a picture.
const START_BYTES_SHOWN: usize = 8;

/// A decoder's own words are kept short: some quote what they read.
const REASON_CHARS_MAX: usize = 160;

fn shortened(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or_default();
    let end = INTERNAL.iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
    let line = line.get(..end).unwrap_or_default();
    line.trim_end_matches(['.', ' ', ',', '"', '(']).chars().take(REASON_CHARS_MAX).collect()
}

/// Where the words of a decoder turn from the picture to its own workings, and help nobody who sent
/// a picture: names of its types, and advice to its caller.
const INTERNAL: [&str; 3] = [" while decoding ", " { ", " If use `"];
