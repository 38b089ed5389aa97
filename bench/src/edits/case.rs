//! The measured edits.

/// One edit: its name for the workers of other libraries, and its instruction for Retouch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    /// The workers' name for it.
    pub(super) name: &'static str,
    /// The instruction.
    pub(super) words: &'static str,
}

/// Edits that every library can do.
pub(super) const CASES: &[Case] = &[
    case("grayscale", "make it black and white"),
    case("brightness", "increase the brightness by 20%"),
    case("contrast", "increase the contrast by 20%"),
    case("sepia", "apply sepia"),
    case("blur 2", "blur by 2px"),
    case("blur 8", "blur by 8px"),
    case("sharpen", "sharpen it"),
    case("rotate 90", "rotate 90 degrees clockwise"),
    case("rotate 10", "rotate 10 degrees clockwise"),
    case("flip", "flip horizontally"),
    case("crop", "crop 25% off all sides"),
    case("resize half", "resize to 50%"),
    case("resize 1.5", "resize to 150%"),
    case("border", "add a 20px white border"),
    case("text", "write \"Hello, world\" in white at the bottom"),
];

const fn case(name: &'static str, words: &'static str) -> Case {
    Case { name, words }
}
