//! Veo's operations, which are created and polled until they are done, and their files.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use serde_json::{Value, json};

use super::errors::Error;
use super::models::Model;
use super::{NAME, authorised, check_version, video};
use crate::arrived::Arrived;
use crate::fault::{Call, Fault, FaultName};
use crate::tasks::{Progress, Task};
use crate::world::{Turn, World};

/// The path of files that can be downloaded without a key.
const OPEN_FILES: &str = "/_sim/files/gemini/";

/// Handles `predictLongRunning`.
pub(super) async fn begin(world: &World, model: Model, arrived: Arrived) -> Response {
    let wanted = match video::read(model, arrived) {
        Ok(wanted) => wanted,
        Err(error) => return error.into_response(),
    };
    let prompt = wanted.prompt.clone();
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &prompt };
    let answer = |fault: Option<Fault>| {
        let fault = match fault.map(|fault| (fault.name, fault)) {
            Some((FaultName::RefuseContentInput, _)) => {
                return Error::against_the_rules().into_response();
            }
            // The result is checked only when it is finished.
            None | Some((FaultName::RefuseContentOutput, _)) => fault,
            Some((_, fault)) => return Error::from(fault).into_response(),
        };
        let id = format!("sim{}", world.number());
        let name = format!("models/{}/operations/{id}", model.name);
        world.begin_task(id, wanted, json!({ "is_filtered": fault.is_some() }));
        Json(json!({ "name": name })).into_response()
    };
    world.answer(turn, answer).await
}

/// `GET /{version}/models/{model}/operations/{id}`.
pub(super) async fn one(
    State(world): State<Arc<World>>,
    Path((version, model, id)): Path<(String, String, String)>,
    arrived: Arrived,
) -> Response {
    let allowed = check_version(&version).and_then(|()| authorised(&world, &arrived));
    if let Err(error) = allowed {
        return error.into_response();
    }
    let Some(task) = world.tasks.find(NAME, &id) else {
        return Error::nothing_here().into_response();
    };
    let at =
        At { origin: arrived.origin(), version, name: format!("models/{model}/operations/{id}") };
    let answer = |progress| match progress {
        Progress::Lost => Error::nothing_here().into_response(),
        progress => Json(at.described(&world, &task, progress)).into_response(),
    };
    world.answer_task::<Error>(&task, answer).await
}

/// `GET /{version}/files/{name}:download?alt=media`: needs the key and redirects to an address that
/// does not.
pub(super) async fn download(
    State(world): State<Arc<World>>,
    Path((version, file)): Path<(String, String)>,
    arrived: Arrived,
) -> Response {
    let allowed = check_version(&version).and_then(|()| authorised(&world, &arrived));
    if let Err(error) = allowed {
        return error.into_response();
    }
    let Some(name) = file.strip_suffix(":download") else {
        return Error::nothing_here().into_response();
    };
    let file = match name.strip_prefix("gone") {
        Some(rest) => format!("gone-{rest}.mp4"),
        None => format!("{name}.mp4"),
    };
    let is_kept = world.files.find(&file).is_some() || file.starts_with("gone-");
    if !is_kept || arrived.query("alt") != Some("media") {
        return Error::no_such_file(name).into_response();
    }
    let location = format!("{}{OPEN_FILES}{file}", arrived.origin());
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}

/// A request for an operation.
struct At {
    origin: String,
    version: String,
    name: String,
}

impl At {
    fn described(&self, world: &World, task: &Task, progress: Progress) -> Value {
        let name = &self.name;
        let is_filtered = task.order.get("is_filtered") == Some(&Value::Bool(true));
        match progress {
            // Google leaves out false values in some versions of the API.
            Progress::Queued => json!({ "name": name }),
            Progress::Failed | Progress::Cancelled => {
                let error = json!({ "code": 13, "message": "An internal error has occurred." });
                json!({ "name": name, "done": true, "error": error })
            }
            Progress::Refused => self.filtered(),
            Progress::Ready if is_filtered => self.filtered(),
            Progress::Ready => self.done(&self.files(world, task)),
            // The operation is kept longer than its file.
            Progress::Expired => self.done(&[self.address("expired")]),
            Progress::Running | Progress::Lost => json!({ "name": name, "done": false }),
        }
    }

    fn done(&self, addresses: &[String]) -> Value {
        let samples: Vec<Value> =
            addresses.iter().map(|uri| json!({ "video": { "uri": uri } })).collect();
        self.response(&json!({ "generatedSamples": samples }))
    }

    fn filtered(&self) -> Value {
        self.response(&json!({
            "raiMediaFilteredCount": 1,
            "raiMediaFilteredReasons": ["Veo could not generate videos because the input image \
                violates Gemini API's usage guidelines. Support code: 17301594."],
        }))
    }

    fn response(&self, videos: &Value) -> Value {
        let kind = "type.googleapis.com/google.ai.generativelanguage.v1beta.\
                    PredictLongRunningResponse";
        let response = json!({ "@type": kind, "generateVideoResponse": videos });
        json!({ "name": self.name, "done": true, "response": response })
    }

    /// The addresses of the results: Google's own, unless a fault changes this.
    fn files(&self, world: &World, task: &Task) -> Vec<String> {
        let open = format!("{}{OPEN_FILES}", self.origin);
        let delivery = world.deliver(&task.wanted);
        let addresses = delivery.files.iter().map(|file| file.address(world, &self.origin));
        addresses
            .map(|address| match address.strip_prefix(&open) {
                // Google's client only accepts letters and digits in a file's name.
                Some(name) => self.address(&name.trim_end_matches(".mp4").replace('-', "")),
                None => address,
            })
            .collect()
    }

    fn address(&self, name: &str) -> String {
        let (origin, version) = (&self.origin, &self.version);
        format!("{origin}/gemini/{version}/files/{name}:download?alt=media")
    }
}
