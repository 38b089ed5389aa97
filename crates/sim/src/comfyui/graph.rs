//! Checks a graph of nodes as far as possible without models.

use bytes::Bytes;
use serde_json::{Map, Value};

use super::errors::Error;
use super::{NAME, uploads};
use crate::delivery::{Kind, Wanted};
use crate::picture::{Format, seed, sniff};
use crate::world::World;

/// The classes of nodes that contain the prompt.
const TEXTS: [&str; 3] =
    ["CLIPTextEncode", "TextEncodeQwenImageEdit", "TextEncodeQwenImageEditPlus"];
const VIDEO_OUTPUTS: [&str; 2] = ["SaveVideo", "VHS_VideoCombine"];
const PICTURE_OUTPUTS: [&str; 2] = ["SaveImage", "PreviewImage"];
const SIDE_PX: u32 = 1024;

/// A graph that can run.
#[derive(Debug)]
pub(super) struct Graph {
    /// What the graph makes.
    pub(super) wanted: Wanted,
    /// The output node and its class.
    pub(super) output: (String, String),
}

impl Graph {
    /// Parses `nodes`. Each needs a class and inputs, links must lead to nodes, images must have
    /// been uploaded, all slots must be filled, and there must be an output.
    pub(super) fn read(world: &World, nodes: &Map<String, Value>) -> Result<Self, Error> {
        let (mut prompt, mut size, mut inputs) = (None, None, Vec::new());
        let mut output = None;
        for (name, node) in nodes {
            let (class, fields) = parts(name, node)?;
            check_inputs(nodes, (name, class), fields)?;
            let text = fields.get("text").and_then(Value::as_str);
            if TEXTS.contains(&class) && prompt.is_none() {
                prompt = text.map(str::to_owned);
            }
            if class == "LoadImage" {
                inputs.push(load(world, name, fields)?);
            }
            size = size.or_else(|| sides(fields));
            if VIDEO_OUTPUTS.contains(&class) || PICTURE_OUTPUTS.contains(&class) {
                output = Some((name.clone(), class.to_owned()));
            }
        }
        let output = output
            .ok_or_else(|| Error::of_graph("prompt_no_outputs", "Prompt has no outputs", ""))?;
        let prompt = prompt.unwrap_or_default();
        let first = inputs.first().and_then(|first| sniff(first));
        let of_first = first.map(|first| (first.width, first.height));
        let is_video = VIDEO_OUTPUTS.contains(&output.1.as_str());
        let wanted = Wanted {
            provider: NAME,
            seed: seed(&prompt, &inputs),
            prompt,
            count: 1,
            size: size.or(of_first).unwrap_or((SIDE_PX, SIDE_PX)),
            kind: if is_video { Kind::Video } else { Kind::Picture(Format::Png) },
        };
        Ok(Self { wanted, output })
    }
}

fn parts<'a>(name: &str, node: &'a Value) -> Result<(&'a str, &'a Map<String, Value>), Error> {
    let class = node.get("class_type").and_then(Value::as_str);
    let inputs = node.get("inputs").and_then(Value::as_object);
    match (class, inputs) {
        (Some(class), Some(inputs)) => Ok((class, inputs)),
        _ => {
            let message = "Cannot execute because a node is missing the class_type property.";
            Err(Error::of_graph("invalid_prompt", message, &format!("Node ID '#{name}'")))
        }
    }
}

fn check_inputs(
    nodes: &Map<String, Value>,
    node: (&str, &str),
    inputs: &Map<String, Value>,
) -> Result<(), Error> {
    for (name, value) in inputs {
        let link = value.as_array().and_then(|link| link.first()?.as_str());
        if link.is_some_and(|link| !nodes.contains_key(link)) {
            return Err(Error::of_node(node, "Bad linked input", name));
        }
        let is_unfilled = value
            .as_str()
            .is_some_and(|text| name != "text" && (text.contains("{{") || text.contains("}}")));
        let is_side = ["width", "height", "seed", "length"].contains(&name.as_str());
        if is_unfilled || (is_side && !value.is_number() && link.is_none()) {
            let details = format!("{name}, {value}");
            return Err(Error::of_node(node, "Failed to convert an input value", &details));
        }
    }
    Ok(())
}

fn load(world: &World, node: &str, inputs: &Map<String, Value>) -> Result<Bytes, Error> {
    let name = inputs.get("image").and_then(Value::as_str).unwrap_or_default();
    uploads::find(world, name).ok_or_else(|| {
        let details = format!("image - Invalid image file: {name}");
        Error::of_node((node, "LoadImage"), "Custom validation failed for node", &details)
    })
}

fn sides(inputs: &Map<String, Value>) -> Option<(u32, u32)> {
    let side = |name| inputs.get(name)?.as_u64()?.try_into().ok();
    Some((side("width")?, side("height")?))
}
