//! Background: a color behind transparent areas (Porter-Duff "over").

use crate::instruction::Clause;
use crate::kernels::canvas;
use crate::operation::{Capability, Control, Operation, Spoken, only};
use crate::{Color, ExecuteError, Picture, Refusal, RefusalKind, Sample};
use serde::{Deserialize, Serialize};

/// Puts a color behind transparent areas.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Background {
    /// The color behind the image.
    #[serde(alias = "colour")]
    pub color: Color,
}

const ONTO: &[&str] = &[
    "flatten",
    "flattened",
    "behind",
    "fill the transparent",
    "fill transparent",
    "fill the transparency",
    "fill transparency",
    "add",
    "on",
    "onto",
    "replace the transparency",
    "replace transparency",
    "fill the transparent areas",
    "fill transparent areas",
    "fill the transparent parts",
    "replace transparent areas",
    "transparent areas",
    "transparent parts",
    "transparent background",
    "flatten the transparency",
    "flatten transparency",
    "flatten the transparent parts",
    "flatten the transparent areas",
    "fill in the transparency",
    "fill in the transparent areas",
    "fill in the transparent parts",
    "replace the transparent background",
    "replace the transparent areas",
    "replace the transparent parts",
];

impl Spoken for Background {
    const CAPABILITY: Capability = Capability {
        name: "background",
        parameters: &[],
        controls: &[Control::color("color", "Color")],
        summary: "Puts a color behind transparent areas.",
        definition: "Porter-Duff over; an opaque image does not change.",
        heads: &["background", "flatten", "flattened", "transparency", "backdrop"],
        details: &[
            "onto",
            "behind",
            "fill",
            "filled",
            "areas",
            "parts",
            "transparent",
            "solid",
            "replace",
        ],
        examples: &[
            "put it on a white background",
            "flatten onto black",
            "fill the transparency with white",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let filled = clause.has(&[
            "fill the transparency",
            "fill transparency",
            "fill the transparent areas",
            "fill the transparent parts",
            "fill transparent areas",
            "replace the transparency",
            "replace transparency",
        ]);
        if !filled && !clause.has(&["background", "flatten", "flattened", "backdrop"]) {
            return Ok(None);
        }
        let onto = clause.take(ONTO).is_some();
        clause.head(&["background", "backdrop"]);
        clause.take_all(&["onto", "solid", "colored"]);
        let Some(color) = clause.color() else {
            return Err(Refusal::new(RefusalKind::NeedsGenerativeModel, BACKGROUND));
        };
        if !onto {
            return Err(Refusal::new(RefusalKind::NeedsGenerativeModel, BACKGROUND));
        }
        Ok(Some(Self { color }))
    }
}

const BACKGROUND: &str = "changing or removing the background of a subject needs a generative \
                          model, unless it is one plain color (\"remove the plain background\", \
                          \"replace the white background with blue\"); this editor can also put a \
                          color behind transparent areas (\"put it on a white background\") or \
                          pad (\"pad to a square with white\")";

impl Operation for Background {
    fn words(&self) -> String {
        format!("flatten onto a {} background", self.color)
    }

    fn check(&self) -> Result<(), String> {
        if self.color.is_opaque() {
            Ok(())
        } else {
            Err("the background must be an opaque color".to_owned())
        }
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        warnings: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let mut changed = false;
        let color = self.color.rgba.map(S::of);
        for pixel in picture.pixels_mut().as_chunks_mut::<4>().0 {
            if pixel[3] < S::FULL {
                changed = true;
                *pixel = canvas::over_pixel(*pixel, color);
            }
        }
        if !changed {
            warnings.push(format!(
                "the image has no transparent areas, so the {} background changed nothing",
                self.color
            ));
        }
        Ok(picture)
    }
}
