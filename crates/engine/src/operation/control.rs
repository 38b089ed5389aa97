//! The fields of a step that people can change by hand, so that a page can offer sliders, color
//! fields and positions without a list of operations of its own.

use super::Parameter;
use serde::Serialize;

/// A field of a step, and how to change it by hand.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Control {
    /// Where the field is in the step's JSON, with dots: `percent`, `outline.color`, `fill.colors.0`.
    pub field: &'static str,
    /// The label, such as "Strength". Empty for [`Input::Step`].
    pub name: &'static str,
    /// Another field and the value that it must have for this control to apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<(&'static str, &'static str)>,
    /// The values that the field accepts.
    #[serde(flatten)]
    pub input: Input,
}

/// The values that a field accepts.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Input {
    /// A number.
    Number {
        /// Its unit and limits.
        range: Parameter,
        /// Whether it has no decimals.
        whole: bool,
    },
    /// A length in pixels or percent, such as "10px" or "5%".
    Length {
        /// The limits in pixels, then those in percent.
        ranges: [Parameter; 2],
    },
    /// A CSS color.
    Color {
        /// Whether `transparent` is accepted.
        clear: bool,
        /// Words that are accepted instead of a color.
        words: &'static [&'static str],
    },
    /// One of the nine places in an image.
    Place {
        /// The field with coordinates that takes precedence while it is present.
        instead_of: Option<&'static str>,
    },
    /// One of these words.
    Choice {
        /// The words.
        words: &'static [&'static str],
    },
    /// `true` or `false`. Absent means `false`.
    Switch,
    /// Any text.
    Text,
    /// Another step, which has controls of its own.
    Step,
}

/// A side in pixels.
pub(crate) const SIDE: Parameter = Parameter::new("a side", "px", (1.0, 16_384.0));

/// A distance from an edge, in pixels and in percent.
pub(crate) const OFFSETS: [Parameter; 2] = [
    Parameter::new("a distance", "px", (0.0, 16_384.0)),
    Parameter::new("a distance", "%", (0.0, 100.0)),
];

/// A side of an aspect ratio.
pub(crate) const RATIO: Parameter = Parameter::new("a side of a ratio", "", (0.01, 10_000.0));

/// The size of a part of an image, in pixels and in percent.
pub(crate) const AREA: [Parameter; 2] =
    [SIDE, Parameter::new("the size of an area", "%", (0.1, 100.0))];

impl Control {
    const fn new(field: &'static str, name: &'static str, input: Input) -> Self {
        Self { field, name, when: None, input }
    }

    pub(crate) const fn number(field: &'static str, name: &'static str, range: Parameter) -> Self {
        Self::new(field, name, Input::Number { range, whole: false })
    }

    pub(crate) const fn whole(field: &'static str, name: &'static str, range: Parameter) -> Self {
        Self::new(field, name, Input::Number { range, whole: true })
    }

    pub(crate) const fn length(
        field: &'static str,
        name: &'static str,
        ranges: [Parameter; 2],
    ) -> Self {
        Self::new(field, name, Input::Length { ranges })
    }

    pub(crate) const fn color(field: &'static str, name: &'static str) -> Self {
        Self::new(field, name, Input::Color { clear: false, words: &[] })
    }

    pub(crate) const fn clear_color(field: &'static str, name: &'static str) -> Self {
        Self::new(field, name, Input::Color { clear: true, words: &[] })
    }

    /// A color, or one of `words` instead.
    pub(crate) const fn backing(
        field: &'static str,
        name: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::new(field, name, Input::Color { clear: true, words })
    }

    pub(crate) const fn place(field: &'static str, name: &'static str) -> Self {
        Self::new(field, name, Input::Place { instead_of: None })
    }

    /// For a place: the field with coordinates that replaces it.
    pub(crate) const fn instead_of(self, other: &'static str) -> Self {
        Self { input: Input::Place { instead_of: Some(other) }, ..self }
    }

    /// The control applies only while `field` has this value.
    pub(crate) const fn when(self, field: &'static str, value: &'static str) -> Self {
        Self { when: Some((field, value)), ..self }
    }

    pub(crate) const fn choice(
        field: &'static str,
        name: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::new(field, name, Input::Choice { words })
    }

    pub(crate) const fn switch(field: &'static str, name: &'static str) -> Self {
        Self::new(field, name, Input::Switch)
    }

    pub(crate) const fn text(field: &'static str, name: &'static str) -> Self {
        Self::new(field, name, Input::Text)
    }

    pub(crate) const fn step(field: &'static str) -> Self {
        Self::new(field, "", Input::Step)
    }
}
