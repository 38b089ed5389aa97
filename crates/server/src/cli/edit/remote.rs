//! `retouch edit --server`: an edit by a server, paid by the account of an API key.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base64_simd::STANDARD;
use retouch_core::edit::Task;
use retouch_core::image::OutputFormat;
use retouch_core::{Ids, OsEntropy, SystemClock, Warning};
use retouch_engine::codec;
use retouch_outbound::client::{
    self, Auth, Body, Call, Client, ClientLimits, Endpoint, TransportError,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep};
use url::Url;

use super::{STANDARD_OUTPUT, bytes_of, check_count, output, result_format, task};
use crate::cli::answer::{Answer, Failure};
use crate::cli::command::EditArguments;
use crate::cli::progress::Progress;
use crate::cli::server;

/// The limits on calls. An edit may take minutes.
const LIMITS: ClientLimits = ClientLimits {
    connect_ms_max: 10_000,
    answer_ms_max: 10 * 60_000,
    idle_ms_max: 60_000,
    answer_bytes_max: 256 << 20,
};

/// How long the command waits for the server, with all repetitions.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// How long it waits before it repeats a call, unless the server says how long.
const PAUSE: Duration = Duration::from_secs(1);

/// The response to an edit.
#[derive(Deserialize)]
struct Edited {
    data: Vec<Image>,
    cost: i64,
    warnings: Vec<Warning>,
    generation: Value,
}

#[derive(Deserialize)]
struct Image {
    url: String,
}

/// An error of the server.
#[derive(Deserialize)]
struct Refused {
    error: RefusedBody,
}

#[derive(Deserialize)]
struct RefusedBody {
    code: String,
    message: String,
}

/// Lets `server` edit the images, and saves the result.
pub(super) fn edit(asked: &EditArguments, server: &Url) -> Result<Answer, Failure> {
    let to = asked.to.as_deref().unwrap_or(Path::new(STANDARD_OUTPUT));
    let format = result_format(to, asked.format)?;
    let endpoint = Endpoint { base: server.clone(), key: Some(server::key(&asked.server)?) };
    let call = call(asked, format)?;
    let client = Client::new(endpoint, Auth::Bearer, LIMITS).map_err(Failure::failed)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let progress = Progress::start("Editing");
    let answer = runtime.block_on(send(&client, &call))?;
    drop(progress);
    if !answer.status.is_success() {
        return Err(refused(&client, &answer));
    }
    let unreadable =
        |_| Failure::Failed(format!("{} answered with {}", client.base(), answer.shown()));
    finish(to, answer.json().map_err(unreadable)?)
}

/// The call. Its `Idempotency-Key` makes repetitions harmless: they get the same result, charged once.
fn call(asked: &EditArguments, format: OutputFormat) -> Result<Call, Failure> {
    let (task, pictures) = task(asked)?;
    check_count(pictures)?;
    let images: Result<Vec<String>, Failure> = pictures.iter().map(|path| data_uri(path)).collect();
    let fields = [
        ("imageUrls", Some(json!(images?))),
        ("output_format", Some(json!(format.as_str()))),
        ("model", asked.model.as_ref().map(|model| json!(model))),
        ("aspectRatio", asked.aspect_ratio.map(|ratio| json!(ratio.to_string()))),
        ("size", asked.size.map(|size| json!(size.to_string()))),
        ("input_name", name_of(pictures.first())),
        match task {
            Task::Words(words) => ("instruction", Some(json!(words))),
            Task::Plan(plan) => ("plan", Some(plan)),
        },
    ];
    let fields = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let body = Body::json(&Value::Object(fields.collect::<Map<_, _>>()));
    let ids = Ids::new(Arc::new(SystemClock), Arc::new(OsEntropy));
    Ok(Call::post("/api/image-edit", body)
        .with_header("idempotency-key", format!("retouch-edit-{}", ids.edit())))
}

fn data_uri(path: &str) -> Result<String, Failure> {
    let file = bytes_of(Path::new(path));
    let file = file.map_err(|reason| Failure::Failed(format!("{path}: {reason}")))?;
    Ok(format!("data:application/octet-stream;base64,{}", STANDARD.encode_to_string(file)))
}

/// The name of the first image, under which the server's pages list the result.
fn name_of(first: Option<&String>) -> Option<Value> {
    let name = Path::new(first?).file_name()?.to_str()?;
    Some(name.chars().take(255).collect::<String>().into())
}

/// Sends the call until the server has answered it.
async fn send(client: &Client, call: &Call) -> Result<client::Answer, Failure> {
    let until = Instant::now() + PATIENCE;
    loop {
        let (sent, wait) = match client.send(call, true).await {
            Err(error @ TransportError::NotSent(_)) => return Err(unanswered(client, &error)),
            Err(error @ TransportError::NoAnswer(_)) => (Err(unanswered(client, &error)), PAUSE),
            Ok(answer) => match wait(&answer) {
                None => return Ok(answer),
                Some(wait) => (Ok(answer), wait),
            },
        };
        if Instant::now() + wait > until {
            return sent;
        }
        sleep(wait).await;
    }
}

/// How long to wait before a call is repeated that came too early, or that a proxy has cut.
fn wait(answer: &client::Answer) -> Option<Duration> {
    let is_early = match answer.status.as_u16() {
        409 => answer.json().is_ok_and(|it: Refused| it.error.code == "idempotency_in_progress"),
        429 | 502..=504 => true,
        _ => false,
    };
    let asked = answer.retry_after_ms().map_or(PAUSE, Duration::from_millis);
    is_early.then_some(asked.max(PAUSE))
}

fn unanswered(client: &Client, error: &TransportError) -> Failure {
    Failure::Failed(format!("{} did not answer: {error}", client.base()))
}

/// Why the server did not edit the images.
fn refused(client: &Client, answer: &client::Answer) -> Failure {
    let server = client.base();
    Failure::Failed(match (answer.json::<Refused>(), answer.header("location")) {
        (Ok(Refused { error }), _) => format!("{server}: {} ({})", error.message, error.code),
        (Err(_), Some(address)) => format!("{server} has moved to {address}; use that address"),
        (Err(_), None) => format!("{server} answered with {}", answer.shown()),
    })
}

/// Saves the result, and says what was done and what it cost.
fn finish(to: &Path, edited: Edited) -> Result<Answer, Failure> {
    let Edited { data, cost, warnings, generation } = edited;
    let file = data.first().and_then(|image| image.url.split_once(";base64,"));
    let file = file.and_then(|(_, text)| STANDARD.decode_to_vec(text).ok());
    let file = file.ok_or_else(|| Failure::Failed("the answer has no image".to_owned()))?;
    let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
    let (width, height) = codec::probe(&file, &limits).map_err(Failure::failed)?.size();
    let answer = if to == Path::new(STANDARD_OUTPUT) {
        Answer::bytes(file).note(format!("{cost} credits charged."))
    } else {
        output::save(to, &file).map_err(Failure::Failed)?;
        let shown = to.display();
        let text = format!("Saved {shown} ({width}x{height}): {cost} credits charged.\n");
        let json = json!({
            "file": to, "width": width, "height": height, "cost": cost, "generation": generation,
            "warnings": warnings,
        });
        Answer::new(text, json)
    };
    let note =
        |answer: Answer, warning: Warning| answer.note(format!("warning: {}", warning.message));
    Ok(warnings.into_iter().fold(answer, note))
}
