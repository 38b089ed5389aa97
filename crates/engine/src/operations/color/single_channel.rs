//! Single channel: one of the three channels, in its own color or as grays.

use crate::kernels::Point;
use crate::operation::{Capability, Control, Described, Operation};
use serde::{Deserialize, Serialize};

/// Keeps one channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SingleChannel {
    /// The channel to keep.
    pub channel: Rgb,
    /// Whether it is shown as grays. Otherwise, the other channels become black.
    #[serde(default, alias = "grey", skip_serializing_if = "std::ops::Not::not")]
    pub gray: bool,
}

/// One of the channels that an image has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rgb {
    /// The first channel.
    Red,
    /// The second channel.
    Green,
    /// The third channel.
    Blue,
}

impl Described for SingleChannel {
    const CAPABILITY: Capability = Capability {
        name: "single_channel",
        parameters: &[],
        controls: &[
            Control::choice("channel", "Channel", &["red", "green", "blue"]),
            Control::switch("gray", "As gray"),
        ],
        summary: "Keeps the red, green or blue channel.",
        definition: "The sRGB values of the channel stay and the other two become 0. As gray, all \
                     three get the values of the channel. Alpha does not change.",
        examples: &[
            "keep only the red channel",
            "show the blue channel as gray",
            "extract the green channel",
        ],
    };
}

impl Operation for SingleChannel {
    fn words(&self) -> String {
        let channel = match self.channel {
            Rgb::Red => "red",
            Rgb::Green => "green",
            Rgb::Blue => "blue",
        };
        if self.gray {
            format!("show the {channel} channel as gray")
        } else {
            format!("keep only the {channel} channel")
        }
    }

    fn points(&self) -> Vec<Point> {
        let kept = self.channel as usize;
        let mut matrix = [[0.0; 4]; 3];
        for (row, line) in matrix.iter_mut().enumerate() {
            if let Some(share) = line.get_mut(kept).filter(|_| self.gray || row == kept) {
                *share = 1.0;
            }
        }
        vec![Point::Matrix(matrix)]
    }
}
