//! What the handbook says of one operation.

use crate::chapters::{Entry, Input, View};
use crate::page::{cell, done, listed};
use crate::shown::plan;
use retouch_engine::{Capability, Parameter, capabilities, makings};

/// A picture of 12 megapixels, for which the memory is stated.
const LARGE: (u32, u32) = (4000, 3000);

/// Its entry in the engine's table.
pub(crate) fn capability(name: &str) -> &'static Capability {
    let mut all = capabilities().iter().chain(makings());
    all.find(|capability| capability.name == name).unwrap_or_else(|| panic!("there is no {name}"))
}

pub(crate) fn section(entry: &Entry) -> String {
    let capability = capability(entry.name);
    let words = listed(capability.heads.iter().copied());
    let details = listed(capability.details.iter().copied());
    [
        format!("\n### {}\n\n{}\n\n", entry.title, capability.summary),
        format!("![{}](editing-by-words/{}.jpg)\n\n", alternative(entry), entry.name),
        circumstances(entry),
        examples(entry, capability),
        paragraph("Words", &words),
        paragraph("Also understood", &details),
        scales(capability.parameters),
        format!("**Definition.** {}\n", capability.definition),
        memory(entry),
    ]
    .concat()
}

/// What the picture shows, for those who do not see it.
fn alternative(entry: &Entry) -> String {
    format!("{}: {}", entry.title, entry.shown.replace('"', "'"))
}

/// What the picture's example was done to, where it is not the photograph, and how much is shown.
fn circumstances(entry: &Entry) -> String {
    let source = |(number, input): (usize, &Input)| {
        let which =
            if entry.inputs.len() > 1 { format!("picture {number} ") } else { String::new() };
        match input {
            Input::Photograph => None,
            Input::After(words) => Some(format!("{which}the photograph after `{words}`")),
            Input::Made(words) => Some(format!("{which}made by `{words}`")),
        }
    };
    let mut said: Vec<String> = (1..).zip(entry.inputs).filter_map(source).collect();
    if matches!(entry.view, View::Detail(..)) {
        said.push("a part in its real size".to_owned());
    }
    if said.is_empty() { String::new() } else { format!("(The picture: {}.)\n\n", said.join(", ")) }
}

fn examples(entry: &Entry, capability: &Capability) -> String {
    let others = capability.examples.iter().filter(|example| **example != entry.shown);
    let inputs = entry.inputs.len();
    let row = |words: &&str| format!("| `{}` | {} |\n", cell(words), done(words, inputs));
    let rows: String = std::iter::once(&entry.shown).chain(others).map(row).collect();
    format!("| words | done as |\n|---|---|\n{rows}\n")
}

fn paragraph(title: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("**{title}.** {text}\n\n") }
}

/// The numbers that it takes: limits, and what vague words mean.
fn scales(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let vague = parameters.iter().any(|parameter| parameter.scale.is_some());
    let head = if vague {
        "| number | limits | very slight | slight | plain | strong | extreme |\n|---|---|---|---|---|---|---|\n"
    } else {
        "| number | limits | where none is said |\n|---|---|---|\n"
    };
    let row = |parameter: &Parameter| {
        let with_unit = |value: f64| format!("{value}{}", parameter.unit);
        let limits = format!("{} to {}", parameter.limits.0, with_unit(parameter.limits.1));
        let usual = parameter.usual.map_or(String::new(), with_unit);
        let values = match parameter.scale {
            Some(scale) => scale.map(with_unit).join(" | "),
            None if vague => format!(" | | {usual} | | "),
            None => usual,
        };
        format!("| {} | {limits} | {values} |\n", parameter.what)
    };
    let rows: String = parameters.iter().map(row).collect();
    format!("{head}{rows}\n")
}

/// The most bytes that the example takes for each pixel of a large picture.
fn memory(entry: &Entry) -> String {
    let inputs = vec![LARGE; entry.inputs.len()];
    let pixels = f64::from(LARGE.0) * f64::from(LARGE.1);
    match plan(entry.shown, inputs.len()).working_bytes(&inputs) {
        Ok(bytes) if !inputs.is_empty() => {
            let each = bytes as f64 / pixels;
            let of = if inputs.len() > 1 { " of a picture" } else { "" };
            format!(
                "\n**Memory.** At most {each:.1} bytes a pixel{of} at 12 megapixels, the pictures included.\n"
            )
        }
        _ => String::new(),
    }
}
