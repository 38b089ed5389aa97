//! The handbook's section about one operation.

use crate::handbook::chapters::{Entry, Input, View};
use crate::handbook::page::{cell, done, listed};
use crate::handbook::shown::plan;
use retouch_engine::{Capability, Parameter, capabilities, makings};
use retouch_language::rows;

/// The memory use is stated for an image of this size, 12 megapixels.
const LARGE: (u32, u32) = (4000, 3000);

/// The operation's entry in the engine's table.
pub(crate) fn capability(name: &str) -> &'static Capability {
    let mut all = capabilities().iter().chain(makings());
    all.find(|capability| capability.name == name).unwrap_or_else(|| panic!("{name} is missing"))
}

pub(crate) fn section(entry: &Entry) -> String {
    let capability = capability(entry.name);
    let words = listed(words(entry.name));
    [
        format!("\n### {}\n\n{}\n\n", entry.title, capability.summary),
        format!("![{}](editing-by-words/{}.jpg)\n\n", alternative(entry), entry.name),
        circumstances(entry),
        examples(entry, capability),
        paragraph("Words", &words),
        scales(capability.parameters),
        format!("**Definition.** {}\n", capability.definition),
        memory(entry),
    ]
    .concat()
}

/// The phrases that mean the operation, more of it or less of it.
fn words(name: &str) -> impl Iterator<Item = &'static str> {
    let values = [name.to_owned(), format!("{name}+"), format!("{name}-")];
    rows().filter(move |row| values.iter().any(|value| value == row.value)).map(|row| row.phrase)
}

/// The alternative text of the image.
fn alternative(entry: &Entry) -> String {
    format!("{}: {}", entry.title, entry.shown.replace('"', "'"))
}

/// Which image the example was applied to, if not the photo, and whether the image shows only a
/// detail.
fn circumstances(entry: &Entry) -> String {
    let source = |(number, input): (usize, &Input)| {
        let which =
            if entry.inputs.len() > 1 { format!("image {number}: ") } else { String::new() };
        match input {
            Input::Photograph => None,
            Input::After(words) => Some(format!("{which}the photo after `{words}`")),
            Input::Made(words) => Some(format!("{which}made with `{words}`")),
        }
    };
    let mut said: Vec<String> = (1..).zip(entry.inputs).filter_map(source).collect();
    if matches!(entry.view, View::Detail(..)) {
        said.push("a detail at actual size".to_owned());
    }
    if said.is_empty() { String::new() } else { format!("(Image: {}.)\n\n", said.join(", ")) }
}

fn examples(entry: &Entry, capability: &Capability) -> String {
    let others = capability.examples.iter().filter(|example| **example != entry.shown);
    let inputs = entry.inputs.len();
    let row = |words: &&str| format!("| `{}` | {} |\n", cell(words), done(words, inputs));
    let rows: String = std::iter::once(&entry.shown).chain(others).map(row).collect();
    format!("| instruction | plan |\n|---|---|\n{rows}\n")
}

fn paragraph(title: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("**{title}.** {text}\n\n") }
}

/// The table of the operation's numbers: their limits, and what vague words mean.
fn scales(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let vague = parameters.iter().any(|parameter| parameter.scale.is_some());
    let head = if vague {
        "| value | limits | very slight | slight | plain | strong | extreme |\n\
         |---|---|---|---|---|---|---|\n"
    } else {
        "| value | limits | default |\n|---|---|---|\n"
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

/// The peak memory of the example for a large image, in bytes per pixel.
fn memory(entry: &Entry) -> String {
    let inputs = vec![LARGE; entry.inputs.len()];
    let pixels = f64::from(LARGE.0) * f64::from(LARGE.1);
    match plan(entry.shown, inputs.len()).working_bytes(&inputs) {
        Ok(bytes) if !inputs.is_empty() => {
            let each = bytes as f64 / pixels;
            let of = if inputs.len() > 1 { " of one image" } else { "" };
            format!(
                "\n**Memory.** At most {each:.1} bytes per pixel{of} at 12 megapixels, including \
                 the images.\n"
            )
        }
        _ => String::new(),
    }
}
