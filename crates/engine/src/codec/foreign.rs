//! Names formats that can't be decoded, so that people know what they have and what to do. The name
//! of a file often says something else, for example after a photo was renamed to `.jpg`.

/// The name of the format with its article, and what to do; `None` if it is not recognized.
pub(super) fn recognized(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    if bytes.starts_with(b"\xFF\x0A") || bytes.starts_with(b"\0\0\0\x0CJXL ") {
        return Some(("a JPEG XL image", EXPORT));
    }
    if bytes.starts_with(b"8BPS") {
        return Some(("a Photoshop document", EXPORT));
    }
    let brands = brands(bytes)?;
    let has = |names: &[&[u8; 4]]| brands.clone().any(|brand| names.iter().any(|it| brand == *it));
    if has(&[b"avif", b"avis"]) {
        Some(("an AVIF image", EXPORT))
    } else if has(&[b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"]) {
        Some(("a HEIC photo", HEIC))
    } else {
        None
    }
}

const EXPORT: &str = "Open it in an image editor and export it as JPEG or PNG.";

const HEIC: &str = "Export it as JPEG and send that. On an iPhone, Settings > Camera > Formats > \
                    Most Compatible takes new photos as JPEG; on a Mac, Preview exports to JPEG.";

/// The brands of a file in the ISO base media format (ISO/IEC 14496-12, 4.3): the major brand, then
/// the compatible ones.
fn brands(bytes: &[u8]) -> Option<impl Iterator<Item = &[u8]> + Clone> {
    const BRANDS_MAX: usize = 32;
    let (size, rest) = bytes.split_first_chunk::<4>()?;
    let listed = rest.strip_prefix(b"ftyp")?;
    let length = usize::try_from(u32::from_be_bytes(*size)).ok()?.saturating_sub(8);
    let listed = listed.get(..length.min(listed.len()))?;
    // The second field is a version.
    let brands = listed.chunks_exact(4).enumerate().filter(|(number, _)| *number != 1);
    Some(brands.map(|(_, brand)| brand).take(BRANDS_MAX))
}
