//! The bundled fonts and nothing of the system, so that every machine draws the same.

use cosmic_text::{Fallback, FontSystem, fontdb};
use std::sync::{Arc, LazyLock};
use unicode_script::Script;

/// The family of Latin, Greek, Cyrillic, Hebrew, Arabic and most symbols.
pub(super) const FAMILY: &str = "DejaVu Sans";

macro_rules! bundled {
    ($($file:literal),* $(,)?) => {
        &[$(include_bytes!(concat!("../../../fonts/", $file)),)*]
    };
}

/// Every face; the two of [`FAMILY`] first.
const FACES: &[&[u8]] = bundled![
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
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

static DATABASE: LazyLock<fontdb::Database> = LazyLock::new(|| {
    let mut faces = fontdb::Database::new();
    for face in FACES {
        faces.load_font_source(fontdb::Source::Binary(Arc::new(*face)));
    }
    faces.set_sans_serif_family(FAMILY);
    faces
});

/// The bundled faces, ready for shaping.
pub(crate) fn fonts() -> FontSystem {
    let locale = "en".to_owned();
    FontSystem::new_with_locale_and_db_and_fallback(locale, DATABASE.clone(), ByScript)
}

/// The same fallbacks on every platform.
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
