//! What DashScope's responses mean: results, new tasks, and the status of tasks.

use serde::Deserialize;
use serde_json::Value;

use super::errors::{self, Problem};
use crate::provider::Usage;
use crate::upstream::{Answer, Artefact, Fault, Harvest, Meaning, Step, Ticket};

/// What the response to a submission means.
pub(super) fn submitted(answer: &Answer) -> Meaning {
    if !answer.status.is_success() {
        return Err(errors::not_taken_on(answer));
    }
    let reply: Reply = answer.json()?;
    // The status is 200, but there is an error instead of a result.
    let Some(output) = reply.output else { return Err(without_output(&reply.problem, answer)) };
    match output.task_id.clone() {
        Some(id) if is_name(&id) => Ok(Step::Submitted(Ticket(id.into()))),
        Some(_) => Err(Fault::Failed("the task ID cannot be used in a URL".into())),
        None => output.harvest(reply.usage),
    }
}

fn without_output(problem: &Problem, answer: &Answer) -> Fault {
    if problem.code.is_some() {
        return problem.instead_of_work(answer);
    }
    Fault::Failed(format!("neither a result nor an error: {}", answer.shown()))
}

/// Whether the text is safe as the last segment of a path.
fn is_name(id: &str) -> bool {
    const CHARS_MAX: usize = 128;
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !id.is_empty() && id.len() <= CHARS_MAX && id.bytes().all(harmless)
}

/// What the response to a status request means. A failed task is returned with status 200.
pub(super) fn polled(answer: &Answer) -> Meaning {
    if !answer.status.is_success() {
        return Err(errors::while_asking(answer));
    }
    let reply = answer.json::<Reply>().ok();
    let Some((output, usage)) = reply.and_then(|reply| Some((reply.output?, reply.usage))) else {
        return Err(Fault::busy(answer.shown(), None));
    };
    match output.task_status.as_deref() {
        Some("SUCCEEDED") => output.harvest(usage),
        Some("FAILED") => Err(output.problem.after_work()),
        Some("CANCELED") => Err(Fault::Failed("the task was canceled".into())),
        Some("UNKNOWN") => Err(Fault::Lost("the task is unknown or older than a day".into())),
        _ => Ok(Step::Working { wait_ms: None }),
    }
}

#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    output: Option<Output>,
    #[serde(default)]
    usage: Option<Counted>,
    #[serde(flatten)]
    problem: Problem,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    task_id: Option<String>,
    #[serde(default)]
    task_status: Option<String>,
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    results: Option<Vec<Made>>,
    #[serde(default)]
    video_url: Option<String>,
    #[serde(flatten)]
    problem: Problem,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    /// A list of parts, or a string.
    #[serde(default)]
    content: Value,
}

#[derive(Deserialize)]
struct Made {
    #[serde(default)]
    url: Option<String>,
    #[serde(flatten)]
    problem: Problem,
}

#[derive(Default, Deserialize)]
struct Counted {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    total_tokens: Option<u64>,
}

impl Counted {
    fn usage(&self) -> Usage {
        let prompt_tokens = self.input_tokens.unwrap_or_default();
        let completion_tokens = self.output_tokens.unwrap_or_default();
        let sum = prompt_tokens.saturating_add(completion_tokens);
        let total_tokens = self.total_tokens.unwrap_or(sum);
        Usage { prompt_tokens, completion_tokens, total_tokens }
    }
}

impl Output {
    /// All results. Images may be spread over several choices with several parts each.
    fn harvest(self, usage: Option<Counted>) -> Meaning {
        let (mut addresses, mut said) = (Vec::new(), String::new());
        for choice in self.choices.into_iter().flatten() {
            read_content(&choice.message.content, &mut addresses, &mut said);
        }
        let (made, failed): (Vec<Made>, Vec<Made>) =
            self.results.into_iter().flatten().partition(|made| made.url.is_some());
        addresses.extend(made.into_iter().filter_map(|made| made.url));
        addresses.extend(self.video_url);
        let artefacts: Vec<Artefact> = addresses
            .into_iter()
            .filter(|address| !address.is_empty())
            .map(Artefact::Address)
            .collect();
        if artefacts.is_empty() {
            let problems = failed.into_iter().map(|made| made.problem).chain([self.problem]);
            return Err(no_result(problems, &said));
        }
        let usage = usage.unwrap_or_default().usage();
        Ok(Step::Done(Harvest { artefacts, usage, warnings: Vec::new() }))
    }
}

/// Collects the image addresses and the text of a message.
fn read_content(content: &Value, addresses: &mut Vec<String>, said: &mut String) {
    if let Some(text) = content.as_str() {
        said.push_str(text);
    }
    for part in content.as_array().into_iter().flatten() {
        if let Some(address) = part.get("image").and_then(Value::as_str) {
            addresses.push(address.to_owned());
        }
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            said.push_str(text);
        }
    }
}

/// Why a response that reports success has no result. A content refusal is more useful than any
/// other reason.
fn no_result(problems: impl Iterator<Item = Problem>, said: &str) -> Fault {
    let faults = problems.filter(|problem| problem.code.is_some()).map(|it| it.after_work());
    let (refused, failed): (Vec<Fault>, Vec<Fault>) =
        faults.partition(|fault| matches!(fault, Fault::Refused(_)));
    let nothing = || {
        let words: String = said.chars().take(300).collect();
        Fault::Failed(format!("success without a result; the model said: {words:?}"))
    };
    refused.into_iter().chain(failed).next().unwrap_or_else(nothing)
}
