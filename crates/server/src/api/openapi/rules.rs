//! What follows from rules in the OpenAPI document: the errors that calls of a kind have in common,
//! the headers of calls that charge, and which fields are always there. Calls and types say only what
//! is special about them.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Where the document has its schemas.
const SCHEMAS: &str = "#/components/schemas/";

/// The header that only calls which charge read.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// An error that follows from what a call is.
struct Error {
    status: &'static str,
    /// Which calls can end in it.
    ends: fn(&Call<'_>) -> bool,
    meaning: &'static str,
}

/// The errors. If several have the same status, the first one counts, and what the call itself says
/// counts more.
static ERRORS: [Error; 16] = [
    error("400", |it| it.has_body() || it.has("limit"), "Invalid parameters"),
    error("401", |it| !it.ways().is_empty(), "Unauthenticated"),
    error("402", |it| it.charges(), "Insufficient credits"),
    error(
        "403",
        |it| it.charges(),
        "The API key does not have the scope `edit`, or the call came from another site's page",
    ),
    error("403", |it| it.is_for_sessions() && it.reads(), "A signed-in session is required"),
    error(
        "403",
        |it| it.is_for_sessions(),
        "A signed-in session is required, and the call must come from this server's own pages",
    ),
    error("403", |it| !it.ways().is_empty(), "You are not allowed to do this"),
    error("404", |it| it.charges(), "The generation of this Idempotency-Key was deleted"),
    error(
        "409",
        |it| it.waits(),
        "The first call with this Idempotency-Key is still running, or the generation was canceled",
    ),
    error("410", |it| it.waits(), "The result of this Idempotency-Key has expired and was removed"),
    error("413", |it| it.has_body(), "The body is too large"),
    error("415", |it| it.has_body(), "The body is not JSON"),
    error("422", |it| it.charges(), "The Idempotency-Key was already used with another body"),
    error("429", |it| it.is_counted(), "Too many calls, or too much work in progress"),
    error(
        "500",
        |it| it.is_in(&API),
        "Something went wrong on our side. If the call charges, the message says whether it did",
    ),
    error("503", |it| it.is_in(&API), "The server is overloaded or not ready"),
];

/// The headers of the successful responses of a call that charges, each with what their status
/// begins with.
const RECEIPT: [(&str, &str, &str, &str); 6] = [
    ("2", "x-retouch-cost", "integer", "The credits that were charged, or held for a 202"),
    ("2", "x-retouch-balance", "integer", "The credits that are available afterwards"),
    ("2", "idempotent-replayed", "boolean", "`true` if this repeats the first response"),
    ("202", "Location", "string", "The URL of the generation"),
    ("202", "Retry-After", "integer", "Seconds to wait before you get the generation"),
    ("202", "Preference-Applied", "string", "`respond-async`, if you asked for that"),
];

/// Calls that read or change something stored.
const API: [&str; 4] = ["/api/", "/v1/", "/mcp", "/files/"];

const fn error(status: &'static str, ends: fn(&Call<'_>) -> bool, meaning: &'static str) -> Error {
    Error { status, ends, meaning }
}

/// Adds to `document` what follows from the rules.
pub(super) fn apply(document: &mut Value) {
    let sent = sent(document);
    for (path, methods) in members(document.pointer_mut("/paths")) {
        for (method, operation) in members(Some(methods)) {
            let call = Call { path, method, operation };
            let charges = call.charges();
            let errors: Vec<&Error> = ERRORS.iter().filter(|error| (error.ends)(&call)).collect();
            add_errors(operation, &errors);
            if charges {
                add_receipt(operation);
            }
            never_null(operation);
        }
    }
    for (name, schema) in members(document.pointer_mut("/components/schemas")) {
        if sent.contains(name) {
            forget_widths(schema);
        } else {
            require_nullable(schema);
        }
    }
}

/// A call in the document.
struct Call<'a> {
    path: &'a str,
    method: &'a str,
    operation: &'a Value,
}

impl Call<'_> {
    fn reads(&self) -> bool {
        self.method == "get"
    }

    fn has_body(&self) -> bool {
        self.operation["requestBody"].is_object()
    }

    /// Whether it has a parameter of this name.
    fn has(&self, name: &str) -> bool {
        let mut parameters = self.operation["parameters"].as_array().into_iter().flatten();
        parameters.any(|parameter| parameter["name"] == name)
    }

    /// The ways to authenticate.
    fn ways(&self) -> BTreeSet<&str> {
        let ways = self.operation["security"].as_array().into_iter().flatten();
        ways.filter_map(Value::as_object).flat_map(Map::keys).map(String::as_str).collect()
    }

    fn is_for_sessions(&self) -> bool {
        self.ways().into_iter().eq(["session"])
    }

    fn charges(&self) -> bool {
        self.has(IDEMPOTENCY_KEY)
    }

    /// Whether it charges and can respond with the result.
    fn waits(&self) -> bool {
        self.charges() && self.operation["responses"]["200"].is_object()
    }

    /// Whether it counts toward a limit: on calls, or on the memory for bodies.
    fn is_counted(&self) -> bool {
        self.has_body() || self.reads() && self.is_in(&["/api/", "/v1/"])
    }

    fn is_in(&self, starts: &[&str]) -> bool {
        starts.iter().any(|start| self.path.starts_with(start))
    }
}

fn add_errors(operation: &mut Value, errors: &[&Error]) {
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    for error in errors {
        responses.entry(error.status).or_insert_with(|| {
            let schema = json!({ "$ref": format!("{SCHEMAS}ErrorBody") });
            let content = json!({ "application/json": { "schema": schema } });
            json!({ "description": error.meaning, "content": content })
        });
    }
    if let Some(response) = responses.get_mut("429") {
        let wait = json!({
            "description": "Seconds to wait before you try again", "schema": { "type": "integer" },
        });
        response["headers"] = json!({ "Retry-After": wait });
    }
}

fn add_receipt(operation: &mut Value) {
    for (status, response) in members(operation.get_mut("responses")) {
        for (start, name, kind, meaning) in RECEIPT {
            if status.starts_with(start) {
                response["headers"][name] =
                    json!({ "description": meaning, "schema": { "type": kind } });
            }
        }
    }
}

/// Parameters and headers are there or not, but never null.
fn never_null(operation: &mut Value) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for schema in parameters.into_iter().flatten().filter_map(|it| it.get_mut("schema")) {
        let kinds = schema["type"].as_array().cloned().unwrap_or_default();
        if let Some(kind) = kinds.into_iter().find(|kind| kind != "null") {
            schema["type"] = kind;
        }
        let options = schema["oneOf"].as_array().cloned().unwrap_or_default();
        if let Some(option) = options.into_iter().find(|option| !is_nullable(option)) {
            *schema = option;
        }
    }
}

/// Makes the fields of a response that can be null required. They are always there; a field that may
/// be missing is never null.
fn require_nullable(schema: &mut Value) {
    if let Some(parts) = schema.get_mut("allOf").and_then(Value::as_array_mut) {
        parts.iter_mut().for_each(require_nullable);
    }
    let Some(fields) = schema["properties"].as_object() else { return };
    let nullable = fields.iter().filter(|(_, field)| is_nullable(field)).map(|(name, _)| name);
    let required = schema["required"].as_array().into_iter().flatten();
    let required = required.filter_map(Value::as_str).chain(nullable.map(String::as_str));
    let required: BTreeSet<String> = required.map(ToOwned::to_owned).collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
}

/// Requests may have whole numbers of any width. Those that are too large are refused or reduced like
/// others.
fn forget_widths(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_width = |format: &Value| format.as_str().is_some_and(|it| it.starts_with("int"));
            if fields.get("format").is_some_and(is_width) {
                fields.remove("format");
            }
            fields.values_mut().for_each(forget_widths);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_widths),
        _ => {}
    }
}

fn is_nullable(schema: &Value) -> bool {
    let is_null = |kind: &Value| kind == "null";
    let kind = &schema["type"];
    is_null(kind)
        || kind.as_array().is_some_and(|kinds| kinds.iter().any(is_null))
        || schema["oneOf"].as_array().is_some_and(|options| options.iter().any(is_nullable))
}

/// The names of the schemas that requests contain.
fn sent(document: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for methods in document["paths"].as_object().into_iter().flat_map(Map::values) {
        for operation in methods.as_object().into_iter().flat_map(Map::values) {
            find_names(&operation["requestBody"], document, &mut names);
        }
    }
    names
}

/// Adds the names of the schemas that `value` refers to, directly or not.
fn find_names(value: &Value, document: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.values().for_each(|it| find_names(it, document, names)),
        Value::Array(items) => items.iter().for_each(|it| find_names(it, document, names)),
        Value::String(text) => {
            let Some(name) = text.strip_prefix(SCHEMAS) else { return };
            if names.insert(name.to_owned()) {
                find_names(&document["components"]["schemas"][name], document, names);
            }
        }
        _ => {}
    }
}

fn members(value: Option<&mut Value>) -> impl Iterator<Item = (&String, &mut Value)> {
    value.and_then(Value::as_object_mut).into_iter().flat_map(Map::iter_mut)
}
