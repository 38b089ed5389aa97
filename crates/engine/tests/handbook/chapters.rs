//! The structure of the handbook: the chapter of each operation, and what its image shows.

/// The image that an example is applied to.
#[derive(Clone, Copy)]
pub(crate) enum Input {
    /// The sample photo.
    Photograph,
    /// The sample photo after another edit.
    After(&'static str),
    /// An image created from an instruction.
    Made(&'static str),
}

/// How much of the result the image shows.
#[derive(Clone, Copy)]
pub(crate) enum View {
    /// All of it, scaled down.
    Whole,
    /// A detail at actual size, with its top left corner at this pixel.
    Detail(u32, u32),
}

/// One operation: its name, the example that its image shows, and how it is shown.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) shown: &'static str,
    pub(crate) inputs: &'static [Input],
    pub(crate) view: View,
}

/// Operations that belong together.
pub(crate) struct Chapter {
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) entries: &'static [Entry],
}

const PHOTOGRAPH: &[Input] = &[Input::Photograph];
/// A flat image: a circle on a plain background, like a product in front of a wall.
const FLAT: &[Input] = &[Input::Made("a red circle on a beige background, 600x400")];
/// The same kind of image without a background.
const FREE: &[Input] = &[Input::Made("a gold star on a transparent background, 600x400")];
const WITH_MARGINS: &[Input] = &[Input::After("add a 60px white border")];
const WITH_STAR: &[Input] =
    &[Input::Photograph, Input::Made("a gold star on a transparent background, 400x400")];
const WITH_GRADIENT: &[Input] =
    &[Input::Photograph, Input::Made("a gradient from orange to navy, left to right, 600x400")];
const WITH_SEPIA: &[Input] = &[Input::Photograph, Input::After("flip it horizontally")];
const WITH_SPOT: &[Input] =
    &[Input::Photograph, Input::Made("a white circle on a black background, 600x400")];
/// The finest detail in the photo: the foam in the cup.
const CUP: View = View::Detail(240, 80);

const fn usual(name: &'static str, title: &'static str, shown: &'static str) -> Entry {
    Entry { name, title, shown, inputs: PHOTOGRAPH, view: View::Whole }
}

const fn close(name: &'static str, title: &'static str, shown: &'static str) -> Entry {
    Entry { name, title, shown, inputs: PHOTOGRAPH, view: CUP }
}

const fn on(entry: Entry, inputs: &'static [Input]) -> Entry {
    Entry { inputs, ..entry }
}

pub(crate) const CHAPTERS: &[Chapter] = &[
    Chapter {
        title: "Tone",
        about: "Lightness and contrast. Consecutive steps that change each pixel independently \
                run in one pass and are rounded only once, at the end.",
        entries: &[
            usual("brightness", "Brightness", "increase the brightness by 20%"),
            usual("contrast", "Contrast", "increase the contrast"),
            usual("exposure", "Exposure", "increase the exposure by 1 stop"),
            usual("gamma", "Gamma", "apply a gamma of 0.8"),
            usual("shadows", "Shadows", "lift the shadows"),
            usual("midtones", "Midtones", "brighten the midtones"),
            usual("highlights", "Highlights", "bring down the highlights"),
            usual("whites", "Whites", "brighten the whites"),
            usual("blacks", "Blacks", "lift the blacks"),
            usual("s_curve", "S-curve", "apply an s-curve"),
            usual("levels", "Levels", "set the black point to 10 and the white point to 240"),
            on(
                usual("auto", "Automatic correction", "auto contrast"),
                &[Input::After("reduce the contrast by 60%")],
            ),
            usual("equalize", "Histogram equalization", "equalize the histogram"),
            usual("fade", "Faded look", "give it a faded look"),
        ],
    },
    Chapter {
        title: "Color",
        about: "Change all colors, their strength, or only some of them.",
        entries: &[
            usual("saturation", "Saturation", "make the colors more vivid"),
            usual("vibrance", "Vibrance", "make the colors pop"),
            usual("warmth", "Warmth", "make it warmer"),
            usual("white_balance", "White balance", "set the white balance to 5000K"),
            usual("hue", "Hue", "shift the hue by 90 degrees"),
            usual("tint", "Tint", "tint it blue"),
            usual("channel", "Color channel", "make it bluer"),
            usual("single_channel", "One channel", "show the blue channel as gray"),
            usual("swap_channels", "Swap channels", "swap the red and blue channels"),
            usual("split_tone", "Split toning", "make the shadows bluer"),
            usual("grayscale", "Black and white", "make it black and white"),
            usual("sepia", "Sepia", "give it a sepia tone"),
            usual("colorize", "Colorize", "colorize it in blue"),
            usual("duotone", "Duotone", "apply a duotone of navy and yellow"),
            usual("color_tones", "Adjust one color", "make the reds more saturated"),
            usual("keep_color", "Keep one color", "black and white except red"),
            usual("replace_color", "Replace a color", "change red to blue, tolerance 20%"),
            usual("invert", "Negative", "invert the colors"),
            usual("posterize", "Posterize", "posterize it"),
            usual("reduce_colors", "Fewer colors", "reduce to 12 colors"),
            usual("threshold", "Threshold", "apply a threshold of 50%"),
            usual("solarize", "Solarize", "solarize it"),
        ],
    },
    Chapter {
        title: "Geometry",
        about: "Rotate, mirror, resize or add space.",
        entries: &[
            usual("rotate", "Rotate and straighten", "rotate by 12.5° with a white background"),
            usual("skew", "Skew", "skew it 10 degrees to the right"),
            usual("flip", "Flip", "flip it horizontally"),
            usual("resize", "Resize", "make it half the size"),
            usual("zoom", "Zoom", "zoom in 2x"),
            usual("tile", "Tile", "tile it 3 x 2, mirrored"),
            usual("pad", "Pad", "pad to a square with a white background"),
        ],
    },
    Chapter {
        title: "Crop",
        about: "Keep only a part or a shape, or cut off margins.",
        entries: &[
            usual("crop", "Crop to a part", "crop to a square"),
            on(usual("trim", "Trim", "trim the margins"), WITH_MARGINS),
            usual("cutout", "Circle and oval", "crop to a circle"),
        ],
    },
    Chapter {
        title: "Filters",
        about: "Effects that depend on a pixel's surroundings. Most images show a detail of the \
                result at actual size.",
        entries: &[
            close("blur", "Blur", "blur it"),
            close("box_blur", "Box blur", "box blur by 5px"),
            close("motion_blur", "Motion blur", "motion blur of 20px at 30 degrees"),
            close("soft_focus", "Soft focus", "apply a soft focus"),
            close("glow", "Glow", "add a glow"),
            close("sharpen", "Sharpen", "sharpen it"),
            close("clarity", "Clarity", "increase the clarity by 30%"),
            on(
                usual("dehaze", "Dehaze", "remove the haze"),
                &[Input::After("give it a faded look")],
            ),
            close("denoise", "Noise reduction", "reduce the noise"),
            close("median", "Median", "apply a median filter of 2px"),
            close("grain", "Grain", "add film grain"),
            usual("vignette", "Vignette", "add a vignette"),
            close("chromatic_aberration", "Chromatic aberration", "chromatic aberration of 5px"),
            close("scan_lines", "Scan lines", "add scanlines every 4px"),
            close("pixelate", "Pixelate", "pixelate it"),
            close("edges", "Edges", "find the edges"),
            close("emboss", "Emboss", "emboss it"),
            close("sketch", "Pencil sketch", "turn it into a pencil sketch"),
            close("dither", "Dither", "dither it"),
            close("halftone", "Halftone", "apply a halftone"),
        ],
    },
    Chapter {
        title: "Frame",
        about: "Borders, corners and shadows.",
        entries: &[
            usual("border", "Border", "add a 10px white border"),
            usual("round_corners", "Round corners", "round the corners"),
            usual("shadow", "Drop shadow", "add a drop shadow"),
            usual("soft_edges", "Soft edges", "fade all four edges into black over 10%"),
            usual("edge_gradient", "Gradient at an edge", "fade the bottom third to black"),
            usual("polaroid", "Instant photo", "add a polaroid frame"),
        ],
    },
    Chapter {
        title: "Text and marks",
        about: "Text in quotation marks is always written as it is, never read as a command.",
        entries: &[
            usual("text", "Text", "add the text \"Hello\" in white at the bottom right"),
            usual("watermark", "Watermark", "tile the watermark \"Sample\" over the picture"),
            usual(
                "mark",
                "Lines, arrows, boxes, circles",
                "draw a red box from 100,100 to 300,200",
            ),
            usual("shape", "Shapes", "draw a small yellow star at the top right"),
            usual("grid_lines", "Grid of lines", "draw a 3x3 grid of white lines over it"),
            usual(
                "qr_code",
                "QR codes",
                "put a QR code for \"https://example.com\" in the bottom right corner",
            ),
        ],
    },
    Chapter {
        title: "Parts of an image",
        about: "You can limit an edit of tone, color or sharpness to a part of the image.",
        entries: &[usual("within", "Part of the image", "make the left third black and white")],
    },
    Chapter {
        title: "Background and transparency",
        about: "The editor removes or recolors a background only if it is plain. Anything else \
                needs a generative model and is refused.",
        entries: &[
            on(usual("backdrop", "Plain background", "remove the plain background"), FLAT),
            on(usual("background", "Background color", "put it on a white background"), FREE),
            on(
                usual("color_key", "Make a color transparent", "make white transparent"),
                WITH_MARGINS,
            ),
            usual("opacity", "Opacity", "set the opacity to 50%"),
        ],
    },
    Chapter {
        title: "Several images",
        about: "Images are numbered from 1 in the order in which you send them. Steps before a \
                join apply to every image, or to the one that they name.",
        entries: &[
            on(
                usual("join", "Side by side, stacked, grid", "put both pictures side by side"),
                WITH_SEPIA,
            ),
            on(
                usual(
                    "overlay",
                    "Overlay",
                    "put the second picture in the bottom right corner at 20%",
                ),
                WITH_STAR,
            ),
            on(
                usual("blend", "Blend and difference", "blend with picture 2 in multiply mode"),
                WITH_GRADIENT,
            ),
            on(usual("mask", "Mask", "use the second picture as a mask"), WITH_SPOT),
        ],
    },
    Chapter {
        title: "Images from text",
        about: "If you send no image, the first part of the instruction describes the image to \
                create, and the rest edits it.",
        entries: &[on(
            usual("make", "Create an image", "a gradient from red to blue, left to right"),
            &[],
        )],
    },
];
