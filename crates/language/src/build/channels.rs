//! Channels that change places.

use super::{Edit, Miss, Request, missing};
use crate::value::Value;
use retouch_engine::operations::{ChannelPair, SwapChannels};

/// "swap the red and blue channels", "BGR to RGB".
pub(super) fn swap_channels(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let named: Vec<&str> = match filled.word("pair") {
        "" if filled.has("order") => vec!["red", "blue"],
        "" => filled.all("channel").map(name).collect(),
        pair => pair.split(' ').collect(),
    };
    let channels = match named.as_slice() {
        ["red", "blue"] | ["blue", "red"] => ChannelPair::RedBlue,
        ["red", "green"] | ["green", "red"] => ChannelPair::RedGreen,
        ["green", "blue"] | ["blue", "green"] => ChannelPair::GreenBlue,
        _ => return missing("name two channels: \"swap the red and blue channels\""),
    };
    let mut edit = Edit::one(SwapChannels { channels })?;
    // "Swap red and blue", unlike "swap the red channel with the blue channel".
    if filled.word("channel").starts_with("channel_") && !filled.has("channels") {
        edit.assumed.push("the colors are the color channels".to_owned());
    }
    edit.within(filled)
}

/// The color of a channel.
fn name(channel: &Value) -> &'static str {
    let word = channel.word();
    word.strip_prefix("channel_").or(word.strip_suffix(" channel")).unwrap_or(word)
}
