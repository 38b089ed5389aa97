//! The categories of words and phrases, and what they mean.

use retouch_engine::{Across, Color, Coordinates, Length, Place, Region};
use std::str::FromStr;

/// Declares the categories with their names in the lexicon and in frames.
macro_rules! categories {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What kind of word or phrase an edge of the chart is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Category { $($(#[$doc])* $name,)* }

        impl FromStr for Category {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($text => Ok(Self::$name),)*
                    _ => Err(format!("there is no category {text:?}")),
                }
            }
        }
    };
}

categories! {
    /// A word that is an edit of its own: "brighter", "blur", "vignette".
    Op = "op",
    /// A verb that is an edit of its own, where the adjective means something else: "cool it" is not
    /// "make it cool".
    Act = "act",
    /// A look that is several edits: "vintage".
    Look = "look",
    /// What an edit changes, without saying how: "brightness".
    Quality = "quality",
    /// How an image is, for "more", "less" and "as": "bright".
    Trait = "trait",
    /// A range of tones: "shadows".
    Band = "band",
    /// "more", "increase", "less", "reduce".
    Direction = "direction",
    /// A verb that needs a direction: "turn … up".
    Push = "push",
    /// Any other verb that edits share: "make", "add", "remove".
    Verb = "verb",
    /// "slightly", "a lot".
    Degree = "degree",
    /// "percent", "px".
    Unit = "unit",
    /// A number without a unit, in digits or words.
    Number = "number",
    /// A number in words, as the lexicon has it.
    Numeral = "numeral",
    /// "half", "third".
    Part = "part",
    /// A number with its unit.
    Amount = "amount",
    /// An amount with what it measures: "radius of 2px", "800px wide".
    Measure = "measure",
    /// What an amount measures: "radius", "wide".
    Label = "label",
    /// "red", "#ff8800".
    Color = "color",
    /// A color in hexadecimal digits, which is exact: "blood red #8a0303".
    Hex = "hex",
    /// "light" or "dark" before a color.
    Shade = "shade",
    /// One of the nine places.
    Place = "place",
    /// A place of a text that no part of the image is named by: "the bottom in the center".
    Spot = "spot",
    /// One of the edges, or several: "left", "top and bottom", "all sides".
    Sides = "sides",
    /// A part of the image.
    Region = "region",
    /// A circle or an oval: "a 600px circle in the center".
    Round = "round",
    /// A share of a side of the image: "half the width".
    Share = "share",
    /// A part whose size is said: "the top third", not "the top".
    Strip = "strip",
    /// "horizontally".
    Axis = "axis",
    /// "clockwise".
    Turn = "turn",
    /// Where a camera moves: "upwards", "from left to right".
    Way = "way",
    /// The image that is edited: "it", "this photo".
    Image = "image",
    /// "image", "photo": a noun for an image.
    Noun = "noun",
    /// An image by its number: "picture 2".
    Picture = "picture",
    /// The number in "picture 2".
    ImageNumber = "image number",
    /// "first", "second".
    Ordinal = "ordinal",
    /// "800x600".
    Size = "size",
    /// How images are laid out: "three across and two down".
    Layout = "layout",
    /// "100,50".
    Point = "point",
    /// "from 10,20 to 30,40".
    Box = "box",
    /// "16:9", "square".
    Ratio = "ratio",
    /// A ratio in numbers.
    Proportion = "proportion",
    /// What is cut off or added at sides: "10% off the left".
    Cut = "cut",
    /// A detail of a text: "a thin black outline".
    Detail = "detail",
    /// Text between quotation marks.
    Text = "text",
    /// A word that only some frames use: "margins", "everything".
    Marker = "marker",
    /// A text for each of several images: "captions Before and After".
    Captions = "captions",
    /// The order of several images: "in the order 2, 1, 3", "swap them".
    Order = "order",
    /// A preposition.
    Preposition = "prep",
    /// A word that changes nothing inside an edit: "the", "please".
    Filler = "filler",
    /// What begins a request: "could you".
    Opening = "opening",
    /// What greets, thanks or exclaims.
    Social = "social",
    /// What joins edits: "and", "then", a comma.
    Joint = "joint",
    /// "don't", "without".
    Negation = "negation",
    /// What is no part of an edit, so that it is refused: "webp", "a serif font".
    Elsewhere = "elsewhere",
    /// What the file of the result is like: "jpg", "quality", "metadata".
    File = "file",
    /// "no wait", "actually": what is said next replaces something.
    Correction = "correction",
    /// A text that is known as one: "happy birthday".
    Saying = "saying",
    /// A degree of what is added: "a touch of".
    Dose = "dose",
    /// "because", "since".
    Because = "because",
    /// "so that", "in order to".
    Goal = "goal",
    /// "I", "we", "it", "there": subjects of remarks.
    Subject = "subject",
    /// Who waits for the image, and is rarely in it: "client", "printer".
    Agent = "agent",
    /// What an image is made for: "poster", "album cover".
    Occasion = "occasion",
    /// What an image is: "my poster". With the value "any", also "the holiday banner" if the edit reshapes or
    /// frames it; with "image", for every edit.
    Piece = "piece",
    /// How the image is after an edit, and the operations that make it so: "backwards".
    Outcome = "outcome",
    /// "my", "our".
    Possessive = "possessive",
    /// "was", "looks", "came": verbs of remarks.
    Finite = "finite",
    /// "too", "very" and words for what is wrong.
    Complaint = "complaint",
    /// Things that only a model can find in an image: "sky", "face".
    Thing = "thing",
    /// Wishes for what only a model can do: "erase".
    Model = "model",
    /// What a wish is too vague for: "better".
    Vague = "vague",
    /// A word of another language.
    Foreign = "foreign",
}

impl Category {
    /// Whether only what is said around edits has a use for it.
    pub(crate) const fn is_of_talk(self) -> bool {
        matches!(self, Self::Agent | Self::Occasion | Self::Piece | Self::Outcome)
    }
}

/// The unit of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// None was given.
    None,
    /// Hundredths.
    Percent,
    /// Pixels.
    Pixels,
    /// Degrees of an angle.
    Degrees,
    /// A factor.
    Times,
    /// Doublings of light.
    Stops,
    /// Kelvins.
    Kelvin,
    /// Millions of pixels.
    Megapixels,
    /// Levels of a channel.
    Levels,
    /// Seconds.
    Seconds,
    /// Frames per second.
    Rate,
}

/// A number as people give it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Amount {
    /// The number, with its sign.
    pub(crate) value: f64,
    /// Its unit.
    pub(crate) unit: Unit,
    /// Whether it has a plus or minus sign.
    pub(crate) signed: bool,
}

impl Amount {
    /// An amount without a sign.
    pub(crate) const fn new(value: f64, unit: Unit) -> Self {
        Self { value, unit, signed: false }
    }

    /// The amount as a length; numbers without a unit are pixels.
    pub(crate) fn length(self) -> Option<Length> {
        match self.unit {
            Unit::None | Unit::Pixels => Some(Length::Pixels(self.value)),
            Unit::Percent => Some(Length::Percent(self.value)),
            _ => None,
        }
    }
}

/// A word for an edit, with what belongs to this word alone.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Use {
    /// The name of the operation, as frames have it.
    pub(crate) name: &'static str,
    /// 1 for more, -1 for less, 0 if the word leaves it open.
    pub(crate) sign: f64,
    /// A degree given for this word, from 0 to 4.
    pub(crate) degree: Option<usize>,
    /// An amount given for this word.
    pub(crate) amount: Option<Amount>,
    /// Whether the amount or degree was said behind the word.
    pub(crate) behind: bool,
}

/// A circle or an oval, as far as its size and position are known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Round {
    /// Whether it is an oval.
    pub(crate) oval: bool,
    /// The diameter of a circle, and what its percentage refers to.
    pub(crate) diameter: Option<(Length, Across)>,
    /// Width and height of an oval.
    pub(crate) sides: Option<(Length, Length)>,
    /// The place in the image.
    pub(crate) place: Option<Place>,
    /// The center of a circle.
    pub(crate) center: Option<Coordinates>,
}

/// What an edge of the chart means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// The value of a row of the lexicon.
    Word(&'static str),
    /// A plain number.
    Number(f64),
    /// A number with a unit.
    Amount(Amount),
    /// A color.
    Color(Color),
    /// A place.
    Place(Place),
    /// Edges of the image.
    Sides([bool; 4]),
    /// A part of the image.
    Region(Region),
    /// A circle or an oval.
    Round(Round),
    /// Width and height.
    Size(f64, f64),
    /// A point.
    Point(Coordinates),
    /// Two corners.
    Corners(Coordinates, Coordinates),
    /// A quoted text.
    Text(String),
    /// Text without quotation marks.
    Unquoted(String),
    /// The number of an image, from 1.
    Picture(usize),
    /// The texts for several images; none if they are numbered.
    Captions(Vec<String>),
    /// The numbers of images in their order, from 1; none if it is reversed.
    Order(Vec<usize>),
    /// What an amount measures, and the amount.
    Measure(&'static str, Amount),
    /// What is cut off or added at each side: left, top, right, bottom.
    Cut([Option<Length>; 4]),
    /// A detail of a text with its color and width.
    Detail(&'static str, Option<Color>, Option<Amount>),
    /// A word for an edit.
    Use(Use),
    /// Several words for edits.
    Uses(Vec<Use>),
}

impl Value {
    /// The word of the lexicon, or nothing. Times have slots of their own, so they have a word.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Amount(Amount { unit: Unit::Seconds, .. }) => "seconds",
            Self::Amount(Amount { unit: Unit::Rate, .. }) => "fps",
            Self::Word(word) | Self::Measure(word, _) | Self::Detail(word, ..) => word,
            Self::Use(used) => used.name,
            _ => "",
        }
    }

    /// Two other values for each number, color, place or size in this one. One of them may be what is
    /// usual.
    pub(crate) fn altered(&self) -> Vec<[Self; 2]> {
        let both = |other: &dyn Fn(u8) -> Self| [other(1), other(2)];
        let more = |amount: Amount, by: u8| Amount {
            value: amount.value * 1.25 + f64::from(by),
            ..amount
        };
        let other = |color: Color, by: u8| {
            let [red, green, blue, alpha] = color.rgba;
            Color { rgba: [red ^ (by * 64), green, blue, alpha] }
        };
        match self {
            Self::Amount(amount) => vec![both(&|by| Self::Amount(more(*amount, by)))],
            Self::Measure(name, amount) => vec![both(&|by| Self::Measure(name, more(*amount, by)))],
            Self::Color(color) => vec![both(&|by| Self::Color(other(*color, by)))],
            Self::Detail(name, color, width) => {
                let colors = color
                    .map(|color| both(&|by| Self::Detail(name, Some(other(color, by)), *width)));
                let widths = width
                    .map(|width| both(&|by| Self::Detail(name, *color, Some(more(width, by)))));
                colors.into_iter().chain(widths).collect()
            }
            Self::Place(place) => vec![both(&|by| {
                Self::Place(match (by, place) {
                    (1, Place::Top) | (2, Place::Left) => Place::BottomRight,
                    (1, _) => Place::Top,
                    _ => Place::Left,
                })
            })],
            Self::Use(used) => {
                let with = |amount| Self::Use(Use { amount: Some(amount), ..used.clone() });
                used.amount.map(|amount| both(&|by| with(more(amount, by)))).into_iter().collect()
            }
            Self::Size(width, height) => {
                vec![both(&|by| Self::Size(*width * 2.0, *height * f64::from(1 + by)))]
            }
            _ => Vec::new(),
        }
    }

    /// The amount, if it is one.
    pub(crate) const fn amount(&self) -> Option<Amount> {
        match self {
            Self::Amount(amount) | Self::Measure(_, amount) => Some(*amount),
            Self::Number(value) => Some(Amount::new(*value, Unit::None)),
            _ => None,
        }
    }

    /// The number of an image, if it is one.
    pub(crate) const fn picture(&self) -> Option<usize> {
        match self {
            Self::Picture(number) => Some(*number),
            _ => None,
        }
    }

    /// The words for edits, if it is one or several.
    pub(crate) fn uses(&self) -> &[Use] {
        match self {
            Self::Use(used) => std::slice::from_ref(used),
            Self::Uses(uses) => uses,
            _ => &[],
        }
    }
}
