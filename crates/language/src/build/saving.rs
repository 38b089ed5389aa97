//! How the result is saved: "save it as jpg", "webp", "JPEG at 85".

use super::{CLEAN, Edit, Miss, Request, contradiction, missing, percent};
use crate::frame::Filled;
use crate::value::Amount;
use retouch_engine::{FileFormat, Refusal, Saving};

/// "Save it as jpg at 85".
pub(super) fn save(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let format = match filled.word("format") {
        "jpeg" => Some(FileFormat::Jpeg),
        "png" => Some(FileFormat::Png),
        "webp" => Some(FileFormat::WebP),
        _ => None,
    };
    let lossless = filled.has("lossless");
    let quality = quality(filled, format)?;
    if lossless && (quality.is_some() || format == Some(FileFormat::Jpeg)) {
        return contradiction("only PNG and WebP are saved without loss");
    }
    let bytes_max = filled.measure("bytes", "file size").map(bytes).transpose()?;
    let saving = Saving { format, quality, bytes_max, ..Saving::default() };
    let edit = Edit { saving: Some(saving), ..Edit::default() };
    Ok(if filled.has("clean") { edit.assuming(CLEAN) } else { edit })
}

/// "Set the resolution to 300 dpi": only the file says it. The pixels stay the same.
pub(super) fn resolution(request: &Request<'_>) -> Result<Edit, Miss> {
    let Some(amount) = super::amount(request.filled, "amount") else { return Err(Miss::Unfit) };
    if amount.signed {
        return Err(Miss::Unfit);
    }
    let dpi = whole_dpi(amount.value).map_err(Miss::Refused)?;
    let saving = Saving { dpi: Some(dpi), ..Saving::default() };
    let edit = Edit { saving: Some(saving), ..Edit::default() };
    Ok(edit.assuming("the resolution changes no pixel"))
}

/// The resolution that a file can have.
///
/// # Errors
/// A [`Refusal`] if it is no whole number or too large.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
pub(crate) fn whole_dpi(dpi: f64) -> Result<u16, Refusal> {
    let most = u16::MAX;
    match dpi.fract() == 0.0 && (1.0..=f64::from(most)).contains(&dpi) {
        true => Ok(dpi as u16),
        false => Err(Refusal::out_of_range(format!(
            "the resolution must be a whole number of dpi from 1 to {most}"
        ))),
    }
}

/// The quality. Without that word, only a number behind "JPEG" is one.
fn quality(filled: &Filled<'_>, format: Option<FileFormat>) -> Result<Option<u8>, Miss> {
    if filled.has("best") {
        return Ok(Some(100));
    }
    let Some(amount) = super::amount(filled, "amount") else {
        return match filled.has("quality") {
            true => missing("say the quality, from 1 to 100: \"save as JPEG with quality 80\""),
            false => Ok(None),
        };
    };
    let behind = matches!(format, Some(FileFormat::Jpeg | FileFormat::WebP))
        && filled.is_behind("amount", "format")
        && filled.preposition("amount") != "of";
    let lowers = filled.has("direction") || filled.says("verb", "reduce");
    let by = lowers && filled.preposition("amount") != "to";
    // "Compress to 60%" is what image programs call quality.
    let compressed = filled.says("saves", "compress");
    if by || !behind && !filled.has("quality") && !compressed {
        return Err(Miss::Unfit);
    }
    whole(amount).map(Some)
}

/// The most bytes of the file.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
fn bytes(amount: Amount) -> Result<u64, Miss> {
    let whole = !amount.signed && (1.0..1e12).contains(&amount.value);
    whole.then(|| amount.value.floor() as u64).ok_or(Miss::Unfit)
}

fn whole(amount: Amount) -> Result<u8, Miss> {
    let Some(value) = percent(amount).filter(|_| !amount.signed) else { return Err(Miss::Unfit) };
    let whole = (1..=100).find(|quality| f64::from(*quality) == value);
    whole.ok_or_else(|| {
        let message = format!("the quality must be a whole number from 1 to 100, not {value}");
        Miss::Refused(Refusal::out_of_range(message))
    })
}
