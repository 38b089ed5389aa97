//! The OpenAPI document, prepared for the API reference at `/docs/reference`.

use serde_json::{Map, Value};

/// One call.
pub(super) struct Operation {
    pub(super) id: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) summary: String,
    pub(super) description: String,
    pub(super) who: &'static str,
    pub(super) parameters: Vec<Field>,
    pub(super) request: Option<String>,
    pub(super) responses: Vec<Answer>,
}

/// One response of a call.
pub(super) struct Answer {
    pub(super) status: String,
    pub(super) description: String,
    pub(super) schema: Option<String>,
}

/// One JSON schema.
pub(super) struct Schema {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) fields: Vec<Field>,
}

/// One field or parameter.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) required: bool,
    pub(super) description: String,
}

/// The calls about one subject.
pub(super) struct Group {
    /// The tag of the calls.
    pub(super) title: String,
    pub(super) operations: Vec<Operation>,
}

impl Group {
    /// The id of its heading.
    pub(super) fn id(&self) -> String {
        super::handbook::slug(&self.title)
    }
}

/// The tags that come first, in the order in which readers need them.
const TAGS_FIRST: [&str; 6] =
    ["Editing", "Generations", "Account", "Credits", "API keys", "Catalog"];
/// The tags that come last: what only operators and our own pages call.
const TAGS_LAST: [&str; 3] = ["Documents", "Operation", "Billing"];

/// All calls, by tag and then in the order of the document's paths.
pub(super) fn groups(document: &Value) -> Vec<Group> {
    let paths = members(&document["paths"]);
    let calls = paths.flat_map(|(path, methods)| {
        members(methods).map(move |(method, call)| (text(&call["tags"][0]), method, path, call))
    });
    let mut groups: Vec<Group> = Vec::new();
    for (tag, method, path, call) in calls {
        let operation = operation(method, path, call);
        match groups.iter_mut().find(|group| group.title == tag) {
            Some(group) => group.operations.push(operation),
            None => groups.push(Group { title: tag, operations: vec![operation] }),
        }
    }
    groups.sort_by_key(|group| place(&group.title));
    groups
}

/// Where a tag comes: the named ones first or last, and others in between.
fn place(tag: &str) -> usize {
    let named = TAGS_FIRST.iter().position(|one| *one == tag);
    let last = TAGS_LAST.iter().position(|one| *one == tag);
    named.or_else(|| last.map(|at| TAGS_FIRST.len() + 1 + at)).unwrap_or(TAGS_FIRST.len())
}

/// All schemas, by name.
pub(super) fn schemas(document: &Value) -> Vec<Schema> {
    let schemas = members(&document["components"]["schemas"]);
    schemas
        .map(|(name, schema)| Schema {
            name: name.clone(),
            description: text(&schema["description"]),
            fields: fields(schema),
        })
        .collect()
}

fn operation(method: &str, path: &str, call: &Value) -> Operation {
    let parameters = call["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    Operation {
        id: text(&call["operationId"]),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&call["summary"]),
        description: text(&call["description"]),
        who: who(&call["security"]),
        parameters: parameters.iter().map(parameter).collect(),
        request: body(&call["requestBody"]["content"]),
        responses: members(&call["responses"])
            .map(|(status, answer)| Answer {
                status: status.clone(),
                description: text(&answer["description"]),
                schema: body(&answer["content"]),
            })
            .collect(),
    }
}

fn who(security: &Value) -> &'static str {
    let text = security.to_string();
    match (text.contains("api_key"), text.contains("session")) {
        (true, _) => "API key or session",
        (false, true) => "session",
        (false, false) => "anyone",
    }
}

fn parameter(parameter: &Value) -> Field {
    Field {
        name: text(&parameter["name"]),
        kind: format!("{} in {}", kind(&parameter["schema"]), text(&parameter["in"])),
        required: parameter["required"] == Value::Bool(true),
        description: text(&parameter["description"]),
    }
}

/// The fields of a schema, including those of its parts.
fn fields(schema: &Value) -> Vec<Field> {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own = members(&schema["properties"]).map(|(name, field)| Field {
        name: name.clone(),
        kind: kind(field),
        required: required.iter().any(|one| one == name),
        description: described(field),
    });
    let parts = schema["allOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    own.chain(parts.iter().flat_map(|part| match reference(part) {
        Some(name) => vec![Field {
            name: format!("… and the fields of {name}"),
            kind: name,
            required: true,
            description: String::new(),
        }],
        None => fields(part),
    }))
    .collect()
}

/// The description of a field, or of the one type that it has if it is not null.
fn described(field: &Value) -> String {
    let parts = field["oneOf"].as_array().into_iter().flatten();
    let mut all = std::iter::once(field).chain(parts).map(|part| text(&part["description"]));
    all.find(|description| !description.is_empty()).unwrap_or_default()
}

/// The schema of a body in JSON, or else its content type.
fn body(content: &Value) -> Option<String> {
    let (media_type, content) = members(content).next()?;
    let kind = kind(&content["schema"]);
    if media_type == "application/json" { Some(kind) } else { Some(media_type.clone()) }
}

/// A type in a few characters: `string`, `Warning[]`, `integer or null`.
fn kind(schema: &Value) -> String {
    if let Some(name) = reference(schema) {
        return name;
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(options) = schema[choice].as_array() {
            return options.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("{}[]", kind(&schema["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<String> = names
                .iter()
                .map(|name| match name.as_str() {
                    Some("array") => format!("{}[]", kind(&schema["items"])),
                    _ => text(name),
                })
                .collect();
            names.join(" or ")
        }
        _ => "any".to_owned(),
    }
}

fn reference(schema: &Value) -> Option<String> {
    let path = schema["$ref"].as_str()?;
    path.rsplit('/').next().map(ToOwned::to_owned)
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
