//! `retouch edit --server`: edits by a server, paid by the account of an API key.

mod connection;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use base64_simd::STANDARD;
use retouch_core::edit::Task;
use retouch_core::image::OutputFormat;
use retouch_core::{Ids, OsEntropy, SystemClock, Warning};
use retouch_engine::{Saving, codec};
use retouch_outbound::client::{Body, Call, Endpoint};
use retouch_providers::built_in::plan;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use self::connection::Connection;
use super::workers::{Done, Editor, NotEdited, Order};
use super::{STANDARD_OUTPUT, bytes_of, check_count, output, result_format, task};
use crate::cli::answer::{Answer, Failure};
use crate::cli::command::EditArguments;
use crate::cli::progress::Progress;
use crate::cli::server;

/// How many images of a list the server edits at a time. It has limits of its own.
const CALLS_MAX: usize = 4;

/// Estimates don't read images, so they get this address for each of them.
const NO_IMAGE: &str = "https://example.com/image";

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

/// The response to an estimate.
#[derive(Deserialize)]
pub(super) struct Estimate {
    cost: i64,
    available: i64,
    provider: String,
    plan: Option<Value>,
    warnings: Vec<Warning>,
}

impl Estimate {
    /// The format that the instruction asks for, if the server's editor has understood one.
    pub(super) fn format(&self) -> Option<OutputFormat> {
        plan::format(Saving::deserialize(self.plan.as_ref()?.get("output")?).ok()?)
    }

    /// Refuses to begin with so many images, one by one, if they are certain to fail.
    pub(super) fn check_cost(&self, images: usize) -> Result<(), Failure> {
        let Self { cost, available, .. } = self;
        let all = i64::try_from(images).unwrap_or(i64::MAX).saturating_mul(*cost);
        if all <= *available {
            return Ok(());
        }
        let message = format!("{images} images cost {all} credits; {available} are available");
        Err(Failure::Failed(message))
    }
}

/// A result.
struct Made {
    file: Vec<u8>,
    size: (u32, u32),
    cost: i64,
    warnings: Vec<Warning>,
    generation: Value,
}

/// A server, and what it is asked to do with images.
pub(super) struct Remote {
    connection: Connection,
    /// The fields of each call, except for images.
    fields: Map<String, Value>,
    ids: Ids,
}

impl Remote {
    /// Nothing is sent yet.
    pub(super) fn new(asked: &EditArguments, server: &Url) -> Result<Self, Failure> {
        let endpoint = Endpoint { base: server.clone(), key: Some(server::key(&asked.server)?) };
        let (task, _) = task(asked)?;
        let fields = [
            ("model", asked.model.as_ref().map(|model| json!(model))),
            ("aspectRatio", asked.aspect_ratio.map(|ratio| json!(ratio.to_string()))),
            ("size", asked.size.map(|size| json!(size.to_string()))),
            ("output_format", asked.format.map(|format| json!(format.as_str()))),
            match task {
                Task::Words(words) => ("instruction", Some(json!(words))),
                Task::Plan(plan) => ("plan", Some(plan)),
            },
        ];
        let fields = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Ok(Self {
            connection: Connection::new(endpoint)?,
            fields: fields.collect(),
            ids: Ids::new(Arc::new(SystemClock), Arc::new(OsEntropy)),
        })
    }

    /// Lets the server edit all images together, and saves the result.
    pub(super) fn one(&self, asked: &EditArguments) -> Result<Answer, Failure> {
        let (_, images) = task(asked)?;
        check_count(images)?;
        let to = asked.to.as_deref().unwrap_or(Path::new(STANDARD_OUTPUT));
        let format = result_format(to, asked.format)?;
        let images: Vec<&Path> = images.iter().map(Path::new).collect();
        let progress = Progress::start("Editing");
        let made = self.make(&images, format).map_err(not_edited)?;
        drop(progress);
        saved(to, made)
    }

    /// What the server would do and charge.
    pub(super) fn explain(&self, asked: &EditArguments) -> Result<Answer, Failure> {
        let (_, images) = task(asked)?;
        check_count(images)?;
        let Estimate { cost, available, provider, plan, warnings } = self.estimate(images.len())?;
        let list =
            |name: &'static str| plan.iter().flat_map(move |plan| plan[name].as_array()).flatten();
        let texts = |name: &'static str| list(name).filter_map(Value::as_str).collect::<Vec<_>>();
        let (words, assumed) = (texts("words"), texts("assumed"));
        let mut text = match words.is_empty() {
            true => format!("{provider} interprets the instruction.\n"),
            false => format!("{}\n", words.join(", then ")),
        };
        for assumption in assumed {
            text.push_str(&format!("assumed: {assumption}\n"));
        }
        text.push_str(&format!("{cost} credits by {provider}; {available} are available.\n"));
        let json = json!({
            "plan": plan, "cost": cost, "available": available, "provider": provider,
            "warnings": warnings,
        });
        Ok(warned(Answer::new(text, json), &warnings))
    }

    /// What the server would do and charge for so many images together.
    pub(super) fn estimate(&self, images: usize) -> Result<Estimate, Failure> {
        let call = self.call("/api/estimate", [("imageUrls", json!(vec![NO_IMAGE; images]))]);
        self.connection.send(&call).map_err(not_edited)
    }

    /// Lets the server edit these images together.
    fn make(&self, images: &[&Path], format: Option<OutputFormat>) -> Result<Made, NotEdited> {
        let uris: Result<Vec<String>, String> = images.iter().map(|path| data_uri(path)).collect();
        let fields = [
            ("imageUrls", json!(uris?)),
            ("output_format", json!(format.map(OutputFormat::as_str))),
            ("input_name", name_of(images.first())),
        ];
        // Repetitions get the same result, charged once.
        let key = format!("retouch-edit-{}", self.ids.edit());
        let call = self.call("/api/image-edit", fields).with_header("idempotency-key", key);
        let Edited { data, cost, warnings, generation } = self.connection.send(&call)?;
        let file = data.first().and_then(|image| image.url.split_once(";base64,"));
        let file = file.and_then(|(_, text)| STANDARD.decode_to_vec(text).ok());
        let file = file.ok_or_else(|| "the answer has no image".to_owned())?;
        let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
        let size = codec::probe(&file, &limits).map_err(|error| error.to_string())?.size();
        Ok(Made { file, size, cost, warnings, generation })
    }

    fn call<const N: usize>(&self, path: &'static str, more: [(&str, Value); N]) -> Call {
        let mut fields = self.fields.clone();
        fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
        Call::post(path, Body::json(&Value::Object(fields)))
    }
}

impl Editor for Remote {
    fn threads(&self) -> usize {
        CALLS_MAX
    }

    fn edit(&self, order: &Order) -> Result<(Vec<u8>, Done), NotEdited> {
        let began = Instant::now();
        let Made { file, size, cost, warnings, .. } =
            self.make(&[&order.input], Some(order.format))?;
        let warnings = warnings.into_iter().map(|warning| warning.message).collect();
        let seconds = began.elapsed().as_secs_f64();
        Ok((file, Done { order: order.clone(), size, seconds, cost, warnings }))
    }
}

fn not_edited(it: NotEdited) -> Failure {
    Failure::Failed(it.reason)
}

fn data_uri(path: &Path) -> Result<String, String> {
    let file = bytes_of(path).map_err(|reason| format!("{}: {reason}", path.display()))?;
    Ok(format!("data:application/octet-stream;base64,{}", STANDARD.encode_to_string(file)))
}

/// The name of the first image, under which the server's pages list the result.
fn name_of(first: Option<&&Path>) -> Value {
    let name = first.and_then(|path| path.file_name()?.to_str());
    name.map(|name| name.chars().take(255).collect::<String>()).into()
}

/// Saves the result, and says what it cost.
fn saved(to: &Path, made: Made) -> Result<Answer, Failure> {
    let Made { file, size: (width, height), cost, warnings, generation } = made;
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
    Ok(warned(answer, &warnings))
}

fn warned(answer: Answer, warnings: &[Warning]) -> Answer {
    let note =
        |answer: Answer, warning: &Warning| answer.note(format!("warning: {}", warning.message));
    warnings.iter().fold(answer, note)
}
