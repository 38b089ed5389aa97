//! The bundled fonts and the operator's fonts. System fonts are ignored, so that every machine with
//! the same files draws the same.

use super::Face;
use cosmic_text::{Fallback, Font, FontSystem, fontdb};
use std::sync::{Arc, LazyLock, OnceLock};
use unicode_properties::{EmojiStatus, GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_script::Script;
use unicode_segmentation::UnicodeSegmentation;

/// The font family for Latin, Greek, Cyrillic, Hebrew, Arabic and most symbols.
const FAMILY: &str = "DejaVu Sans";

impl Face {
    /// The font family. Characters that it doesn't have come from [`FAMILY`] and its fallbacks.
    pub(super) const fn family(self) -> &'static str {
        match self {
            Self::SansSerif => FAMILY,
            Self::Serif => "DejaVu Serif",
            Self::Monospaced => "DejaVu Sans Mono",
            Self::Handwriting => "Dancing Script",
        }
    }
}

macro_rules! bundled {
    ($($file:literal),* $(,)?) => {
        &[$(include_bytes!(concat!("../../../../fonts/", $file)),)*]
    };
}

/// All bundled fonts. The two of [`FAMILY`] come first.
const FACES: &[&[u8]] = bundled![
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "DejaVuSerif.ttf",
    "DejaVuSerif-Bold.ttf",
    "DejaVuSansMono.ttf",
    "DejaVuSansMono-Bold.ttf",
    "DancingScript-Regular.otf",
    "DancingScript-Bold.otf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansBengali-Regular.ttf",
    "NotoSansGurmukhi-Regular.ttf",
    "NotoSansGujarati-Regular.ttf",
    "NotoSansOriya-Regular.ttf",
    "NotoSansTamil-Regular.ttf",
    "NotoSansTelugu-Regular.ttf",
    "NotoSansKannada-Regular.ttf",
    "NotoSansMalayalam-Regular.ttf",
    "NotoSansSinhala-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansLao-Regular.ttf",
    "NotoSansMyanmar-Regular.ttf",
    "NotoSansKhmer-Regular.ttf",
    "NotoSansEthiopic-Regular.ttf",
];

/// The version of `COLR` tables with gradients, which the rasterizer does not support.
const COLR_GRADIENTS: u16 = 1;

/// The added font files, in the order in which they are tried.
static ADDED: OnceLock<Vec<Arc<Vec<u8>>>> = OnceLock::new();

static DATABASE: LazyLock<fontdb::Database> = LazyLock::new(|| {
    let mut faces = fontdb::Database::new();
    for face in FACES {
        faces.load_font_source(fontdb::Source::Binary(Arc::new(*face)));
    }
    for file in ADDED.get_or_init(Vec::new) {
        faces.load_font_source(fontdb::Source::Binary(Arc::clone(file) as _));
    }
    faces.set_sans_serif_family(FAMILY);
    faces
});

/// All faces of [`DATABASE`], for looking up which characters they have.
static PARSED: LazyLock<Vec<Arc<Font>>> = LazyLock::new(|| {
    let faces = DATABASE.faces();
    faces.filter_map(|face| Font::new(&DATABASE, face.id, face.weight)).map(Arc::new).collect()
});

/// The first face with color glyphs, and its family.
static COLORED: LazyLock<Option<(Arc<Font>, String)>> = LazyLock::new(|| {
    let font = PARSED.iter().find(|font| is_colored(font))?;
    let (family, _) = DATABASE.face(font.id())?.families.first()?;
    Some((Arc::clone(font), family.clone()))
});

/// Why a font cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FontError {
    /// The file has no readable face.
    #[error("it is not a TrueType or OpenType font or font collection")]
    NotAFont,
    /// All glyphs of the font are color gradients.
    #[error(
        "its glyphs are color gradients (COLR version 1), which cannot be drawn; use the variant of \
         the font with bitmaps (CBDT)"
    )]
    Gradients,
    /// Texts were already drawn or checked with other fonts.
    #[error("fonts must be added once, before the first text is used")]
    TooLate,
}

/// Adds font files to the whole process for characters that are missing from the bundled fonts.
/// They are tried in this order, after the bundled fonts. Emoji are drawn with the first one that
/// has colors.
///
/// # Errors
/// The position of a file that can't be used, and its [`FontError`]. In this case, no font is
/// added.
pub fn add_fonts(files: Vec<Vec<u8>>) -> Result<(), (usize, FontError)> {
    for (position, file) in files.iter().enumerate() {
        check(file).map_err(|error| (position, error))?;
    }
    let files: Vec<_> = files.into_iter().map(Arc::new).collect();
    if *ADDED.get_or_init(|| files.clone()) == files {
        Ok(())
    } else {
        Err((0, FontError::TooLate))
    }
}

/// Checks that texts can be drawn with a font file.
fn check(file: &[u8]) -> Result<(), FontError> {
    let mut faces = fontdb::Database::new();
    faces.load_font_data(file.to_vec());
    let mut fonts = faces.faces().filter_map(|face| Font::new(&faces, face.id, face.weight));
    let font = fonts.next().ok_or(FontError::NotAFont)?;
    let version = |table: &[u8]| Some(u16::from_be_bytes(*table.first_chunk()?));
    let colors = font.as_swash().table(u32::from_be_bytes(*b"COLR")).and_then(version);
    if colors == Some(COLR_GRADIENTS) { Err(FontError::Gradients) } else { Ok(()) }
}

/// All faces, ready for shaping.
pub(crate) fn fonts() -> FontSystem {
    let locale = "en".to_owned();
    FontSystem::new_with_locale_and_db_and_fallback(locale, DATABASE.clone(), ByScript)
}

/// Whether a font has color glyphs.
pub(super) fn is_colored(font: &Font) -> bool {
    let font = font.as_swash();
    font.color_strikes().next().is_some() || font.color_palettes().next().is_some()
}

/// The characters of a text that no font has.
pub(super) fn lacking(text: &str) -> Vec<char> {
    let mut lacking: Vec<char> = text.chars().filter(|&character| is_lacking(character)).collect();
    lacking.sort_unstable();
    lacking.dedup();
    lacking
}

fn is_lacking(character: char) -> bool {
    let is_drawn = !character.is_ascii()
        && !character.is_whitespace()
        && !is_variation_selector(character)
        && !matches!(
            character.general_category(),
            GeneralCategory::Control | GeneralCategory::Format
        );
    is_drawn && !PARSED.iter().any(|font| has(font, character))
}

fn has(font: &Font, character: char) -> bool {
    font.as_swash().charmap().map(character) != 0
}

/// Whether a character chooses between forms of the character before it (Unicode 17, section 23.4).
fn is_variation_selector(character: char) -> bool {
    matches!(character, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// The parts of a text in order. Emoji (UTS 51, section 2) also have the family of the font that
/// draws them in color, if there is one.
pub(super) fn runs(text: &str) -> Vec<(&str, Option<&'static str>)> {
    let Some((font, family)) = COLORED.as_ref() else { return vec![(text, None)] };
    let clusters = text.graphemes(true);
    clusters.map(|cluster| (cluster, is_emoji(cluster, font).then_some(family.as_str()))).collect()
}

fn is_emoji(cluster: &str, font: &Font) -> bool {
    let Some(first) = cluster.chars().next() else { return false };
    let is_shown_so = matches!(
        first.emoji_status(),
        EmojiStatus::EmojiPresentation
            | EmojiStatus::EmojiPresentationAndModifierBase
            | EmojiStatus::EmojiPresentationAndEmojiComponent
            | EmojiStatus::EmojiPresentationAndModifierAndEmojiComponent
    );
    let is_text = cluster.contains('\u{FE0E}');
    (is_shown_so && !is_text || cluster.contains('\u{FE0F}')) && has(font, first)
}

/// Font fallbacks that are the same on every platform.
struct ByScript;

impl Fallback for ByScript {
    fn common_fallback(&self) -> &[&'static str] {
        &[FAMILY]
    }

    fn forbidden_fallback(&self) -> &[&'static str] {
        &[]
    }

    fn script_fallback(&self, script: Script, _: &str) -> &[&'static str] {
        match script {
            Script::Devanagari => &["Noto Sans Devanagari"],
            Script::Bengali => &["Noto Sans Bengali"],
            Script::Gurmukhi => &["Noto Sans Gurmukhi"],
            Script::Gujarati => &["Noto Sans Gujarati"],
            Script::Oriya => &["Noto Sans Oriya"],
            Script::Tamil => &["Noto Sans Tamil"],
            Script::Telugu => &["Noto Sans Telugu"],
            Script::Kannada => &["Noto Sans Kannada"],
            Script::Malayalam => &["Noto Sans Malayalam"],
            Script::Sinhala => &["Noto Sans Sinhala"],
            Script::Thai => &["Noto Sans Thai"],
            Script::Lao => &["Noto Sans Lao"],
            Script::Myanmar => &["Noto Sans Myanmar"],
            Script::Khmer => &["Noto Sans Khmer"],
            Script::Ethiopic => &["Noto Sans Ethiopic"],
            _ => &[],
        }
    }
}
