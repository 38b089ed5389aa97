//! What Replicate's responses about a prediction mean.

use serde::Deserialize;
use serde_json::Value;

use super::{Task, failure};
use crate::queue::ticket;
use crate::upstream::{Answer, Artefact, Fault, Harvest, Meaning, Step};

#[derive(Deserialize)]
struct Prediction {
    id: String,
    status: String,
    #[serde(default)]
    output: Value,
    #[serde(default)]
    error: Value,
    #[serde(default)]
    data_removed: bool,
}

/// The response to a submission: a prediction, which may have ended already.
pub(super) fn created(answer: &Answer) -> Meaning {
    let prediction: Prediction = answer.json()?;
    match prediction.step() {
        Ok(Step::Working { .. }) => {
            // The name becomes part of a path.
            if prediction.id.is_empty() || !prediction.id.bytes().all(|b| b.is_ascii_alphanumeric())
            {
                return Err(Fault::Failed("the prediction has no usable ID".into()));
            }
            Ok(Step::Submitted(ticket::write(&Task { id: prediction.id })?))
        }
        ended => ended,
    }
}

/// The response to a status request.
pub(super) fn prediction(answer: &Answer) -> Meaning {
    answer.json::<Prediction>()?.step()
}

impl Prediction {
    fn step(&self) -> Meaning {
        match self.status.as_str() {
            "starting" | "processing" => Ok(Step::Working { wait_ms: None }),
            "succeeded" if self.data_removed && self.output.is_null() => {
                Err(Fault::Lost("its output has been deleted".into()))
            }
            "succeeded" => {
                Ok(Step::Done(Harvest { artefacts: self.artefacts()?, ..Harvest::default() }))
            }
            "failed" => Err(failure::of_prediction(&self.error_text())),
            // Canceled by a person, or aborted by Replicate.
            status => Err(Fault::Failed(format!(
                "the prediction has the status {status}: {}",
                self.error
            ))),
        }
    }

    /// The output is an address, a list of addresses, or null.
    fn artefacts(&self) -> Result<Vec<Artefact>, Fault> {
        let outputs = match &self.output {
            Value::Null => return Ok(Vec::new()),
            Value::Array(outputs) => outputs.as_slice(),
            one => std::slice::from_ref(one),
        };
        let address = |output: &Value| match output {
            Value::String(address) => Ok(Artefact::Address(address.clone())),
            _ => Err(Fault::Failed("the output is not a URL".into())),
        };
        outputs.iter().map(address).collect()
    }

    fn error_text(&self) -> String {
        self.error.as_str().map_or_else(|| self.error.to_string(), str::to_owned)
    }
}
