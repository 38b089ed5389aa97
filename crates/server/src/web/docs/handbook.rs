//! The handbook of the built-in editor, as a page. The text is that of `docs/editing-by-words.md`, which
//! is generated from the engine's tables, and the pictures are those next to it.

use std::sync::LazyLock;

/// The handbook as Markdown.
const TEXT: &str = include_str!("../../../../../docs/editing-by-words.md");

macro_rules! pictures {
    ($($name:literal),* $(,)?) => {
        &[$((
            $name,
            include_bytes!(concat!("../../../../../docs/editing-by-words/", $name, ".jpg")),
        )),*]
    };
}

/// The pictures by the names of their operations, and the photo that they were made from.
const PICTURES: &[(&str, &[u8])] = pictures![
    "auto",
    "backdrop",
    "background",
    "blacks",
    "blend",
    "blur",
    "border",
    "box_blur",
    "brightness",
    "channel",
    "chromatic_aberration",
    "clarity",
    "color_key",
    "color_tones",
    "colorize",
    "contrast",
    "crop",
    "cutout",
    "dehaze",
    "denoise",
    "dither",
    "duotone",
    "edge_gradient",
    "edges",
    "emboss",
    "equalize",
    "exposure",
    "fade",
    "flip",
    "gamma",
    "glow",
    "grain",
    "grayscale",
    "grid_lines",
    "halftone",
    "highlights",
    "hue",
    "invert",
    "join",
    "keep_color",
    "levels",
    "make",
    "mark",
    "mask",
    "median",
    "midtones",
    "motion_blur",
    "opacity",
    "original",
    "overlay",
    "pad",
    "pixelate",
    "polaroid",
    "posterize",
    "qr_code",
    "reduce_colors",
    "replace_color",
    "resize",
    "rotate",
    "round_corners",
    "s_curve",
    "saturation",
    "scan_lines",
    "sepia",
    "shadow",
    "shadows",
    "shape",
    "sharpen",
    "single_channel",
    "sketch",
    "skew",
    "soft_edges",
    "soft_focus",
    "solarize",
    "split_tone",
    "swap_channels",
    "text",
    "threshold",
    "tile",
    "tint",
    "trim",
    "vibrance",
    "vignette",
    "warmth",
    "watermark",
    "white_balance",
    "whites",
    "within",
    "zoom",
];

/// Operations about one subject.
pub(crate) struct Chapter {
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) entries: Vec<Entry>,
}

/// One operation.
pub(crate) struct Entry {
    pub(crate) title: &'static str,
    pub(crate) summary: &'static str,
    /// The name of its picture.
    pub(crate) name: &'static str,
    /// Instructions. The picture was made with the first one.
    pub(crate) examples: Vec<&'static str>,
}

impl Chapter {
    /// The id of its heading.
    pub(crate) fn id(&self) -> String {
        slug(self.title)
    }
}

impl Entry {
    /// The id of its heading, and the name of its picture as an asset.
    pub(crate) fn id(&self) -> String {
        slug(self.title)
    }

    /// The instruction that made its picture.
    pub(crate) fn said(&self) -> &'static str {
        self.examples.first().copied().unwrap_or(self.title)
    }

    /// The width and height of its picture, in pixels.
    pub(crate) fn size(&self) -> (u16, u16) {
        picture_size(self.name).unwrap_or((240, 160))
    }
}

/// The chapters that describe operations.
pub(crate) fn chapters() -> &'static [Chapter] {
    static CHAPTERS: LazyLock<Vec<Chapter>> = LazyLock::new(|| read(TEXT));
    &CHAPTERS
}

/// All pictures, in a fixed order.
pub(crate) fn pictures() -> impl Iterator<Item = &'static [u8]> {
    PICTURES.iter().map(|(_, bytes)| *bytes)
}

/// The picture of an operation, as JPEG.
pub(crate) fn picture(name: &str) -> Option<&'static [u8]> {
    PICTURES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// The width and height of a picture in pixels, from its frame header, so that the page does not move
/// while the pictures load.
fn picture_size(name: &str) -> Option<(u16, u16)> {
    let mut rest = picture(name)?.get(2..)?;
    while let [0xff, marker, high, low, after @ ..] = rest {
        let length = usize::from(u16::from_be_bytes([*high, *low])).checked_sub(2)?;
        // A frame header; 0xc4, 0xc8 and 0xcc are not.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let [_, h1, h0, w1, w0, ..] = after else { return None };
            return Some((u16::from_be_bytes([*w1, *w0]), u16::from_be_bytes([*h1, *h0])));
        }
        rest = after.get(length..)?;
    }
    None
}

/// A heading as the id of its section: `Side by side` becomes `side-by-side`.
pub(super) fn slug(title: &str) -> String {
    let kept =
        title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Reads the chapters with pictures. The others explain the language and are not about operations.
fn read(text: &'static str) -> Vec<Chapter> {
    let parts = text.split("\n## ").skip(1).map(|part| {
        let (title, rest) = part.split_once('\n').unwrap_or((part, ""));
        let mut sections = rest.split("\n### ");
        let about = first_paragraph(sections.next().unwrap_or_default());
        Chapter { title, about, entries: sections.filter_map(entry).collect() }
    });
    parts.filter(|chapter| !chapter.entries.is_empty()).collect()
}

fn entry(section: &'static str) -> Option<Entry> {
    let (title, rest) = section.split_once('\n')?;
    let (_, link) = rest.split_once("](editing-by-words/")?;
    let (name, _) = link.split_once(".jpg)")?;
    let (_, table) = rest.split_once("| instruction | plan |\n|---|---|\n")?;
    let rows = table.lines().take_while(|line| line.starts_with("| `"));
    let examples = rows.filter_map(|row| row.split('`').nth(1)).collect();
    Some(Entry { title, summary: first_paragraph(rest), name, examples })
}

fn first_paragraph(text: &'static str) -> &'static str {
    let text = text.trim_start();
    text.split("\n\n").next().filter(|words| !words.starts_with('!')).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{chapters, picture, picture_size};
    use retouch_engine::{capabilities, makings};

    #[test]
    fn every_operation_of_the_engine_is_in_the_handbook_with_its_picture() {
        let entries: Vec<_> = chapters().iter().flat_map(|chapter| &chapter.entries).collect();
        let operations: Vec<_> = capabilities().iter().chain(makings()).collect();
        assert_eq!(entries.len(), operations.len());
        for operation in operations {
            let entry = entries.iter().find(|entry| entry.name == operation.name).unwrap();
            assert_eq!(entry.summary, operation.summary);
            assert!(!entry.examples.is_empty(), "{}", operation.name);
            assert!(picture(entry.name).is_some(), "{}", operation.name);
        }
        assert_eq!(picture_size("original"), Some((240, 160)));
    }
}
