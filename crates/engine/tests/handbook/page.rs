//! Generates the text of the handbook.

use crate::handbook::chapters::{CHAPTERS, Chapter, Entry, Input};
use crate::handbook::operation;
use crate::handbook::shown::plan;
use retouch_engine::limits::{PIXELS_MAX, SIDE_PX_MAX, STEPS_MAX};
use retouch_engine::{Color, Context, Place, Refusal};
use retouch_language::{read, rows};

const INTRODUCTION: &str = include_str!("introduction.txt");

/// One refused instruction for each class of refusal.
const REFUSED: &[&str] = &[
    "make it brighter and remove the dog",
    "rotate it",
    "blur by 5000px",
    "make it brighter and frobnicate it",
    "por favor hazlo más claro",
    "don't crop it",
    "make it brighter and darker",
];
const REGIONS: &[&str] = &[
    "brighten the top half",
    "blur the left third",
    "darken the bottom 20%",
    "desaturate the top left corner",
    "sharpen the center",
    "pixelate the area from 10,20 to 210,120",
    "blur a 200x100 box at 50,80",
    "desaturate the corners",
    "darken the edges of 5%",
    "blur a 600px circle in the center",
    "pixelate a circle around 640,410 with a radius of 90px",
    "darken outside an oval in the middle",
    "blur everything except the top left quarter",
];

/// One instruction for each size word.
const SIZES: &[&str] = &[
    "write \"Hi\" in tiny letters at the top",
    "write \"Hi\" in small letters at the top",
    "write \"Hi\" at the top",
    "write \"Hi\" in big letters at the top",
    "write \"Hi\" in huge letters at the top",
    "write \"Hi\" at the top with an outline",
    "add a thin border",
    "add a border",
    "add a thick border",
    "draw a thin line from 10,10 to 90,90",
    "draw a line from 10,10 to 90,90",
    "draw a thick line from 10,10 to 90,90",
];

/// The whole document.
pub(crate) fn document() -> String {
    let chapters: String = CHAPTERS.iter().map(chapter).collect();
    format!("{}\n{chapters}", introduction().trim_end())
}

/// Words as inline code, separated by commas.
pub(crate) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Text for a table cell.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The anchor that Markdown renderers generate for a heading.
fn anchor(title: &str) -> String {
    let kept = title.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect()
}

fn introduction() -> String {
    let names: Vec<&str> = Color::names().collect();
    [
        ("{contents}", contents()),
        ("{refusals}", refusals()),
        ("{degrees}", degrees()),
        ("{units}", units()),
        ("{sizes}", sizes()),
        ("{regions}", regions()),
        ("{steps}", STEPS_MAX.to_string()),
        ("{side}", SIDE_PX_MAX.to_string()),
        ("{megapixels}", (PIXELS_MAX / 1_000_000).to_string()),
        ("{more}", listed(lexicon("direction", &["+", "up"]))),
        ("{less}", listed(lexicon("direction", &["-", "down"]))),
        ("{places}", listed(Place::ALL.iter().map(|place| place.words()))),
        ("{colors}", names.len().to_string()),
        ("{names}", names.join(", ")),
    ]
    .iter()
    .fold(INTRODUCTION.to_owned(), |text, (mark, value)| text.replace(mark, value))
}

fn contents() -> String {
    let line = |chapter: &Chapter| {
        let link = |entry: &Entry| format!("[{}](#{})", entry.title, anchor(entry.title));
        let entries: Vec<String> = chapter.entries.iter().map(link).collect();
        format!("- **[{}](#{})**: {}\n", chapter.title, anchor(chapter.title), entries.join(", "))
    };
    let first = "- [How instructions are read](#how-instructions-are-read), \
                 [how much](#how-much), [where](#where), [colors](#colors)\n";
    format!("{first}{}", CHAPTERS.iter().map(line).collect::<String>().trim_end())
}

fn refusals() -> String {
    let row = |words: &&str| {
        let refused = refusal(words);
        let nearest = refused.nearest.map_or(String::new(), |nearest| format!("`{nearest}`"));
        let message = cell(&refused.message);
        let class = serde_json::to_value(refused.kind).unwrap();
        format!(
            "| `{words}` | `{}` | `{}` | {message} | {nearest} |\n",
            class.as_str().unwrap(),
            refused.words
        )
    };
    let rows: String = REFUSED.iter().map(row).collect();
    format!(
        "| instruction | class | stopped by | message | suggestion |\n|---|---|---|---|---|\n{}",
        rows.trim_end()
    )
}

fn refusal(words: &str) -> Refusal {
    match read(words, &Context::default()) {
        Err(refusal) => refusal,
        Ok(plan) => panic!("\"{words}\" is not refused: {}", plan.render()),
    }
}

/// The phrases of a category that have one of these values.
pub(crate) fn lexicon(category: &str, values: &[&str]) -> impl Iterator<Item = &'static str> {
    rows()
        .filter(move |row| {
            row.category.trim_end_matches('~') == category && values.contains(&row.value)
        })
        .map(|row| row.phrase)
}

fn degrees() -> String {
    let titles = ["very slight", "slight", "plain", "strong", "extreme"];
    let row = |(degree, title): (usize, &&str)| {
        format!("| {title} | {} |\n", listed(lexicon("degree", &[&degree.to_string()])))
    };
    let rows: String = titles.iter().enumerate().map(row).collect();
    format!("| degree | words |\n|---|---|\n{}", rows.trim_end())
}

fn units() -> String {
    let units = [
        ("hundredths", "%"),
        ("pixels", "px"),
        ("degrees of an angle", "degrees"),
        ("factors", "times"),
        ("stops, which are doublings of light", "stops"),
        ("kelvins of a color temperature", "kelvin"),
    ];
    let row = |(what, unit): &(&str, &str)| {
        format!("| {what} | {} |\n", listed(lexicon("unit", &[unit])))
    };
    let rows: String = units.iter().map(row).collect();
    format!("| unit | words |\n|---|---|\n{}", rows.trim_end())
}

fn regions() -> String {
    let row = |words: &&str| format!("| `{words}` | {} |\n", done(words, 1));
    let rows: String = REGIONS.iter().map(row).collect();
    format!("| part of the image | plan |\n|---|---|\n{}", rows.trim_end())
}

/// The plan of an instruction and its assumptions.
pub(crate) fn done(words: &str, inputs: usize) -> String {
    let plan = plan(words, inputs);
    let supposed = plan.assumed.join("; ");
    let supposed = if supposed.is_empty() { supposed } else { format!(" ({supposed})") };
    format!("`{}`{}", plan.render(), cell(&supposed))
}

fn sizes() -> String {
    let row = |words: &&str| format!("| `{words}` | {} |\n", done(words, 1));
    let rows: String = SIZES.iter().map(row).collect();
    format!("| instruction | plan |\n|---|---|\n{}", rows.trim_end())
}

fn chapter(chapter: &Chapter) -> String {
    let entries: String = chapter.entries.iter().map(operation::section).collect();
    let compare = chapter.entries.iter().any(|entry| matches!(entry.inputs, [Input::Photograph]));
    let before =
        if compare { "\n![The original photo](editing-by-words/original.jpg)\n" } else { "" };
    format!("\n## {}\n\n{}\n{before}{entries}", chapter.title, chapter.about)
}
