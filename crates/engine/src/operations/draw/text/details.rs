//! The vocabulary for the look of a text.

/// Words for bold text.
pub(super) const BOLD: &[&str] =
    &["bold letters", "bold font", "bold text", "bold type", "bold", "bolded", "heavy font"];
/// Words for italic text.
pub(super) const ITALIC: &[&str] =
    &["italic letters", "italic font", "italics", "italic", "slanted", "oblique", "italic text"];
/// Words for an outline.
pub(super) const OUTLINE: &[&str] =
    &["outline", "outlined", "stroke", "contour", "outlines", "text outline"];
/// Words for a shadow.
pub(super) const SHADOW: &[&str] = &["drop shadow", "shadow", "text shadow"];
/// Words for a box behind the text.
pub(super) const GROUND: &[&str] = &[
    "background box",
    "background",
    "box",
    "backdrop",
    "banner",
    "strip",
    "text box",
    "panel",
    "bar",
];
/// Words that may be between one of these nouns and its color.
pub(super) const ADJECTIVES: &[&str] = &["thin", "thick", "soft", "solid", "drop", "plain"];
/// Words for the distance from the edges.
pub(super) const MARGIN: &[&str] = &[
    "margin",
    "from the edge",
    "from the edges",
    "from the border",
    "from the corner",
    "away from the edge",
    "away from the edges",
    "margins",
];
/// Words for a text that is repeated.
pub(crate) const TILED: &[&str] = &[
    "tiled",
    "tile",
    "repeated",
    "repeat",
    "repeating",
    "all over",
    "repeatedly",
    "tiling",
    "over and over",
    "in a pattern",
];
/// Words for left-aligned, centered and right-aligned lines.
pub(super) const ALIGNED: [&[&str]; 3] = [
    &["aligned left", "left aligned", "aligned to the left", "align left"],
    &["aligned center", "center aligned", "aligned to the center", "align center"],
    &["aligned right", "right aligned", "aligned to the right", "align right"],
];

/// All words other than the heads.
pub(super) const DETAILS: &[&str] = &[
    "says",
    "bold",
    "size",
    "font size",
    "font",
    "letters",
    "small",
    "large",
    "big",
    "huge",
    "tiny",
    "corner",
    "word",
    "type",
    "place",
    "which",
    "insert",
    "overlay",
    "reads",
    "sized",
    "centered",
    "superimpose",
    "put",
    "of",
    "over",
    "across",
    "bolded",
    "italics",
    "italic",
    "slanted",
    "oblique",
    "outline",
    "outlined",
    "outlines",
    "stroke",
    "contour",
    "drop shadow",
    "shadow",
    "background box",
    "background",
    "box",
    "backdrop",
    "banner",
    "strip",
    "panel",
    "bar",
    "thin",
    "thick",
    "soft",
    "solid",
    "plain",
    "margin",
    "margins",
    "from the edge",
    "from the edges",
    "from the border",
    "from the corner",
    "away",
    "tiled",
    "tile",
    "repeated",
    "repeat",
    "repeating",
    "all over",
    "repeatedly",
    "tiling",
    "over and over",
    "in a pattern",
    "aligned",
    "align",
    "opacity",
    "transparency",
    "translucent",
    "transparent",
    "faint",
    "semi",
    "half",
    "see through",
    "rotated",
    "turned",
    "tilted",
    "angle",
    "diagonally",
    "diagonal",
    "vertically",
    "clockwise",
    "counterclockwise",
    "stamp",
    "print",
    "lettering",
    "text size",
];
