//! JSON schemas of tools, taken from the OpenAPI document, so that tools and API describe a field in
//! the same words.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::api;

/// Where the OpenAPI document has its schemas, and where a JSON schema has its own.
const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// Keywords of OpenAPI that JSON Schema does not have, or whose values only OpenAPI knows.
const FOREIGN: [&str; 3] = ["example", "examples", "discriminator"];

static SCHEMAS: LazyLock<Map<String, Value>> =
    LazyLock::new(|| match api::openapi_document().pointer("/components/schemas") {
        Some(Value::Object(schemas)) => schemas.clone(),
        _ => Map::new(),
    });

/// The schema that the OpenAPI document calls `name`, with everything that it refers to.
pub(super) fn component(name: &str) -> JsonObject {
    let mut found = BTreeSet::new();
    let schema = plain(SCHEMAS.get(name).unwrap_or(&Value::Null), &mut found);
    let mut definitions = Map::new();
    while let Some(next) = found.iter().find(|name| !definitions.contains_key(*name)).cloned() {
        let definition = plain(SCHEMAS.get(&next).unwrap_or(&Value::Null), &mut found);
        definitions.insert(next, definition);
    }
    let Value::Object(mut schema) = schema else { return Map::new() };
    if !definitions.is_empty() {
        schema.insert("$defs".into(), definitions.into());
    }
    schema
}

/// An object of `properties`, each of which is required, with the definitions that they refer to.
pub(super) fn object(properties: &[(&str, Value)]) -> JsonObject {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let mut definitions = Map::new();
    let mut all = Map::new();
    for (name, property) in properties {
        let mut property = property.clone();
        if let Some(Value::Object(own)) = property.as_object_mut().and_then(|it| it.remove("$defs"))
        {
            definitions.extend(own);
        }
        all.insert((*name).to_owned(), property);
    }
    let schema = json!({
        "type": "object", "properties": all, "required": required, "$defs": definitions,
    });
    let Value::Object(schema) = schema else { return Map::new() };
    schema
}

/// The fields of the request that the OpenAPI document calls `name`, without those in `without`, and
/// with those in `with`.
pub(super) fn request(name: &str, without: &[&str], with: &[(&str, Value)]) -> JsonObject {
    let mut schema = component(name);
    // The description of the request says which fields it must have, in the words of the API.
    schema.remove("description");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| !without.contains(&name.as_str()));
        properties.extend(with.iter().map(|(name, field)| ((*name).to_owned(), field.clone())));
    }
    schema
}

/// `schema` in JSON Schema. Adds the names that it refers to to `found`.
fn plain(schema: &Value, found: &mut BTreeSet<String>) -> Value {
    match schema {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, value)| {
                let is_integer_format = *name == "format"
                    && value.as_str().is_some_and(|it| it.starts_with("int") || it == "double");
                !FOREIGN.contains(&name.as_str()) && !is_integer_format
            });
            fields.map(|(name, value)| (name.clone(), plain(value, found))).collect()
        }
        Value::Array(items) => items.iter().map(|item| plain(item, found)).collect(),
        Value::String(text) => match text.strip_prefix(COMPONENTS) {
            Some(name) => {
                found.insert(name.to_owned());
                format!("{DEFINITIONS}{name}").into()
            }
            None => text.clone().into(),
        },
        other => other.clone(),
    }
}
