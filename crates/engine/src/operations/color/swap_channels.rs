//! Swap channels: two of the three channels exchange their values.

use crate::kernels::Point;
use crate::operation::{Capability, Control, Described, Operation};
use serde::{Deserialize, Serialize};

/// Swaps two channels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwapChannels {
    /// The two channels to swap.
    pub channels: ChannelPair,
}

/// Two of the channels that an image has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelPair {
    /// The first and the third channel, as between RGB and BGR.
    RedBlue,
    /// The first and the second channel.
    RedGreen,
    /// The second and the third channel.
    GreenBlue,
}

impl Described for SwapChannels {
    const CAPABILITY: Capability = Capability {
        name: "swap_channels",
        parameters: &[],
        controls: &[Control::choice(
            "channels",
            "Channels",
            &["red_blue", "red_green", "green_blue"],
        )],
        summary: "Swaps two of the red, green and blue channels.",
        definition: "The sRGB values of the two channels are exchanged. The third channel and alpha \
                     do not change. \"BGR to RGB\" swaps red and blue.",
        examples: &["swap the red and blue channels", "BGR to RGB", "swap green and blue"],
    };
}

impl Operation for SwapChannels {
    fn words(&self) -> String {
        let (first, second) = match self.channels {
            ChannelPair::RedBlue => ("red", "blue"),
            ChannelPair::RedGreen => ("red", "green"),
            ChannelPair::GreenBlue => ("green", "blue"),
        };
        format!("swap the {first} and {second} channels")
    }

    fn points(&self) -> Vec<Point> {
        let sources = match self.channels {
            ChannelPair::RedBlue => [2, 1, 0],
            ChannelPair::RedGreen => [1, 0, 2],
            ChannelPair::GreenBlue => [0, 2, 1],
        };
        let line = |source: usize| {
            let mut line = [0.0; 4];
            line[source] = 1.0;
            line
        };
        vec![Point::Matrix(sources.map(line))]
    }
}
