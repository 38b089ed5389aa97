//! How the words want the result to be saved: its file format and quality. The engine itself saves
//! nothing, so whoever encodes the result asks [`Saving::with`].

use crate::Refusal;
use crate::codec::FileRules;
use serde::{Deserialize, Serialize};

/// How a result is saved. Without a format, it is only saved without metadata, like every result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saving {
    /// The file format. `None` leaves it to the request, which then gets a JPEG if there is a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FileFormat>,
    /// The quality of a JPEG, from 1 to 100. `None` leaves it to the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// The most bytes of the file. The quality is lowered, and then the image reduced, until it fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_max: Option<u64>,
    /// The pixels of an inch of the printed image, which the file then says. It changes no pixel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dpi: Option<u16>,
}

/// The smallest limit on the bytes of a file: a few pixels fit into it in every format.
const BYTES_MAX_MIN: u64 = 2_000;

/// The file formats that results can be saved in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// PNG, without loss.
    Png,
    /// JPEG, the only one with a quality.
    Jpeg,
    /// WebP, without loss.
    WebP,
}

impl FileFormat {
    /// The name that people know.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
        }
    }
}

impl Saving {
    /// What two of them ask for together, such as the words and the request.
    ///
    /// # Errors
    /// A [`Refusal`] if they give different formats, qualities or resolutions. Of two limits, the smaller one counts.
    pub fn with(self, other: Self) -> Result<Self, Refusal> {
        let formats = self.format.zip(other.format).filter(|(one, other)| one != other);
        if let Some((one, other)) = formats {
            let (one, other) = (one.name(), other.name());
            let message = format!(
                "the result can't be saved as {one} and as {other}, and both are asked for; choose one"
            );
            return Err(Refusal::contradiction(message));
        }
        let qualities = self.quality.zip(other.quality).filter(|(one, other)| one != other);
        if let Some((one, other)) = qualities {
            let message = format!("the quality can't be both {one} and {other}; choose one");
            return Err(Refusal::contradiction(message));
        }
        let resolutions = self.dpi.zip(other.dpi).filter(|(one, other)| one != other);
        if let Some((one, other)) = resolutions {
            let message = format!("the file can't have both {one} and {other} dpi; choose one");
            return Err(Refusal::contradiction(message));
        }
        let limits = self.bytes_max.into_iter().chain(other.bytes_max);
        Ok(Self {
            format: self.format.or(other.format),
            quality: self.quality.or(other.quality),
            bytes_max: limits.min(),
            dpi: self.dpi.or(other.dpi),
        })
    }

    /// The words that mean this.
    pub(super) fn words(self) -> String {
        let limit = self.bytes_max.map_or(String::new(), |bytes| format!(" under {}", size(bytes)));
        let limit = match self.dpi {
            Some(dpi) => format!("{limit} at {dpi} dpi"),
            None => limit,
        };
        match (self.format, self.quality) {
            (None, _) if !limit.is_empty() => format!("save{limit}"),
            (None, _) => "save without metadata".to_owned(),
            (Some(format), None) => format!("save as {}{limit}", format.name()),
            (Some(format), Some(quality)) => {
                format!("save as {} with quality {quality}{limit}", format.name())
            }
        }
    }

    /// What a file has to be that is saved like this.
    #[must_use]
    pub const fn rules(self) -> FileRules {
        FileRules { bytes_max: self.bytes_max, dpi: self.dpi }
    }

    pub(super) fn check(self) -> Result<(), Refusal> {
        if self.dpi == Some(0) {
            let message = format!("the resolution must be between 1 and {} dpi, not 0", u16::MAX);
            return Err(Refusal::out_of_range(message));
        }
        if self.bytes_max.is_some_and(|bytes| bytes < BYTES_MAX_MIN) {
            let least = size(BYTES_MAX_MIN);
            return Err(Refusal::out_of_range(format!("a file can't be limited to under {least}")));
        }
        let Some(quality) = self.quality else { return Ok(()) };
        if self.format != Some(FileFormat::Jpeg) {
            return Err(Refusal::out_of_range("only a JPEG has a quality"));
        }
        if (1..=100).contains(&quality) {
            return Ok(());
        }
        Err(Refusal::out_of_range(format!("the quality must be between 1 and 100, not {quality}")))
    }
}

/// A number of bytes as people write it: 1 KB is 1,000 bytes, so that the file also fits where 1,024
/// are meant.
fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1_000_000) => format!("{} MB", bytes / 1_000_000),
        _ if bytes.is_multiple_of(1_000) => format!("{} KB", bytes / 1_000),
        _ => format!("{bytes} bytes"),
    }
}
