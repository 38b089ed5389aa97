//! The words of how a text looks.

/// Words that say it is bold.
pub(super) const BOLD: &[&str] =
    &["bold letters", "bold font", "bold text", "bold type", "bold", "bolded", "heavy font"];
/// Words that say it is slanted.
pub(super) const ITALIC: &[&str] =
    &["italic letters", "italic font", "italics", "italic", "slanted", "oblique", "italic text"];
/// Words for a line around the letters.
pub(super) const OUTLINE: &[&str] =
    &["outline", "outlined", "stroke", "contour", "outlines", "text outline"];
/// Words for a shadow.
pub(super) const SHADOW: &[&str] = &["drop shadow", "shadow", "text shadow"];
/// Words for a box behind.
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
/// Words that may stand between those and their color.
pub(super) const ADJECTIVES: &[&str] = &["thin", "thick", "soft", "solid", "drop", "plain"];
/// Words for room to the edges.
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
/// Words that say it is repeated.
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
/// Words for lines that begin at the left, in the middle, or that end at the right.
pub(super) const ALIGNED: [&[&str]; 3] = [
    &["aligned left", "left aligned", "aligned to the left", "align left"],
    &["aligned center", "center aligned", "aligned to the center", "align center"],
    &["aligned right", "right aligned", "aligned to the right", "align right"],
];

/// All words besides the heads.
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
