//! The rows of a set, as `crates/language/corpus/README.md` describes them.

use retouch_engine::{Context, RefusalKind, Step};
use retouch_language::read;

/// One instruction and what is expected of it.
pub(crate) struct Row<'a> {
    pub(crate) instruction: &'a str,
    pub(crate) context: Context,
    pub(crate) expected: Expected<'a>,
}

/// What an instruction must become.
pub(crate) enum Expected<'a> {
    Plan(Vec<Step>),
    /// The class, words that the refusal must quote, and the steps that it must offer instead.
    Refusal {
        kind: RefusalKind,
        words: &'a str,
        nearest: Option<Vec<Step>>,
    },
}

impl Row<'_> {
    pub(crate) fn must_be_refused(&self) -> bool {
        matches!(self.expected, Expected::Refusal { .. })
    }
}

/// Reads a set.
///
/// Panics with every row that has not the form, or expects what is no plan.
pub(crate) fn read_set(set: &str) -> Vec<Row<'_>> {
    let mut inputs = 1;
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for line in set.lines().map(str::trim) {
        if let Some(count) = line.strip_prefix("@ pictures ") {
            match count.parse() {
                Ok(count) => inputs = count,
                Err(error) => wrong.push(format!("{line}: {error}")),
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            match row(line, inputs) {
                Ok(row) => rows.push(row),
                Err(message) => wrong.push(format!("{line}: {message}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    rows
}

fn row(line: &str, inputs: usize) -> Result<Row<'_>, String> {
    let context = Context { inputs, ..Context::default() };
    let columns: Vec<&str> = line.split(" | ").collect();
    let (instruction, expected) = match columns.as_slice() {
        [instruction, plan] if !plan.starts_with('!') => {
            (instruction, Expected::Plan(steps(plan, &context)?))
        }
        [instruction, class, words, nearest @ ..] if nearest.len() <= 1 => {
            let class = class.trim_start_matches("! ");
            let kind = serde_json::from_value(class.into()).map_err(|error| error.to_string())?;
            let nearest = nearest.first().map(|nearest| steps(nearest, &context)).transpose()?;
            (instruction, Expected::Refusal { kind, words, nearest })
        }
        _ => return Err("a plan, or a class and words, and what is nearest".to_owned()),
    };
    Ok(Row { instruction, context, expected })
}

/// The steps that canonical words stand for, whatever their spelling.
fn steps(words: &str, context: &Context) -> Result<Vec<Step>, String> {
    read(words, context).map(|plan| plan.steps).map_err(|refusal| format!("{words}: {refusal}"))
}
