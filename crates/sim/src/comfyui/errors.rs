//! Errors in ComfyUI's format.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use crate::fault::{Fault, FaultName};

/// An error.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Error {
    status: StatusCode,
    body: Value,
}

impl Error {
    /// An invalid graph, or one without outputs.
    pub(super) fn of_graph(kind: &str, message: &str, details: &str) -> Self {
        Self::with_nodes((kind, message, details), &json!({}))
    }

    /// A wrong input at a node of the graph.
    pub(super) fn of_node((node, class): (&str, &str), message: &str, details: &str) -> Self {
        let error = json!({
            "type": "custom_validation_failed",
            "message": message,
            "details": details,
            "extra_info": {},
        });
        let nodes = json!({ node: {
            "errors": [error],
            "dependent_outputs": [],
            "class_type": class,
        }});
        let kind = "prompt_outputs_failed_validation";
        Self::with_nodes((kind, "Prompt outputs failed validation", ""), &nodes)
    }

    fn with_nodes((kind, message, details): (&str, &str, &str), nodes: &Value) -> Self {
        let error =
            json!({ "type": kind, "message": message, "details": details, "extra_info": {} });
        let body = json!({ "error": error, "node_errors": nodes });
        Self { status: StatusCode::BAD_REQUEST, body }
    }

    /// An invalid upload.
    pub(super) fn of_upload() -> Self {
        Self { status: StatusCode::BAD_REQUEST, body: Value::Null }
    }

    /// Something that does not exist.
    pub(super) fn not_found() -> Self {
        Self { status: StatusCode::NOT_FOUND, body: Value::Null }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let status = match fault.name {
            FaultName::RefuseContentInput
            | FaultName::RefuseContentOutput
            | FaultName::RefuseParameters
            | FaultName::UnknownModel => {
                let node = ("4", "CheckpointLoaderSimple");
                return Self::of_node(node, "Value not in list", "ckpt_name: 'x' not in []");
            }
            // From a proxy in front of ComfyUI, which itself has no keys and no limits.
            FaultName::BadKey | FaultName::NoCredit => StatusCode::UNAUTHORIZED,
            FaultName::Throttle => StatusCode::TOO_MANY_REQUESTS,
            FaultName::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, body: Value::Null }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self.body {
            Value::Null => {
                let reason = self.status.canonical_reason().unwrap_or_default();
                (self.status, format!("{}: {reason}", self.status.as_u16())).into_response()
            }
            body => (self.status, Json(body)).into_response(),
        }
    }
}

/// The response for an unknown address.
pub(super) async fn unknown_address() -> Response {
    Error::not_found().into_response()
}
