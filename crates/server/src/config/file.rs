//! Reads the defaults and the operator's file, both TOML, as values with their line numbers.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::layers::{DEFAULTS, Entry, Layers, default_entry};
use super::problem::{ConfigError, Problem};
use super::providers::{self, Template};
use super::value::{Origin, Value, quoted};

/// Largest settings file, in bytes. The commented defaults have less than 20,000.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// A leaf of the file: `section.key`, its value, and its byte offset.
type Leaf<'i> = (String, DeValue<'i>, usize);

/// The settings in `config.default.toml`, and those that every provider has.
pub(super) fn defaults() -> (BTreeMap<String, Entry>, Template) {
    let mut entries = BTreeMap::new();
    let mut of_providers = Template::new();
    for (key, value, _) in parse(DEFAULTS).unwrap_or_default() {
        let Some(value) = plain(&value) else { continue };
        match providers::is_of_template(&key) {
            Some(setting) => {
                let entry = default_entry(&key, value);
                of_providers.push((setting.to_owned(), entry.value));
            }
            None => drop(entries.insert(key.clone(), default_entry(&key, value))),
        }
    }
    (entries, of_providers)
}

/// Applies the values of the file at `path` to `layers`.
pub(super) fn overlay(
    layers: &mut Layers,
    path: &Path,
    problems: &mut Vec<Problem>,
) -> Result<(), ConfigError> {
    let text = read(path)?;
    let leaves =
        parse(&text).map_err(|message| ConfigError::Syntax { path: path.into(), message })?;
    for (key, value, start) in leaves {
        let line = 1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count();
        let origin = Origin::File { path: path.into(), line };
        if is_untouched(layers, &key, &value) {
            continue;
        }
        providers::open_for_key(layers, &key);
        match accept(layers, &key, &value) {
            Ok(value) => layers.set(&key, value, origin),
            Err(message) => problems.push(Problem::new(key, message, &origin)),
        }
    }
    Ok(())
}

/// Whether this is an unchanged setting of `[providers.NAME]`. The operator's file may be a copy of
/// `config.default.toml`.
fn is_untouched(layers: &Layers, key: &str, value: &DeValue<'_>) -> bool {
    let default = providers::is_of_template(key).and_then(|name| layers.default_of_providers(name));
    default.is_some_and(|default| {
        let found = plain(value).and_then(|value| default.convert(value));
        found.as_ref() == Some(default)
    })
}

fn accept(layers: &Layers, key: &str, value: &DeValue<'_>) -> Result<Value, String> {
    let Some(entry) = layers.find(key) else {
        return Err(providers::unknown(key, layers));
    };
    let accepted = plain(value).and_then(|value| entry.value.convert(value));
    accepted.ok_or_else(|| match &entry.value {
        Value::Secret(_) => "expected a string in quotation marks".to_owned(),
        default @ (Value::Duration(_) | Value::Size(_)) => default.refusal(&literal(value)),
        default => default.refusal(&found(value)),
    })
}

fn read(path: &Path) -> Result<String, ConfigError> {
    let unreadable = |reason: String| ConfigError::Unreadable { path: path.into(), reason };
    let file = std::fs::File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut text = String::new();
    let read = file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
    match read.map_err(|error| unreadable(error.to_string()))? as u64 {
        0..=FILE_BYTES_MAX => Ok(text),
        _ => Err(unreadable(format!("it is larger than {FILE_BYTES_MAX} bytes"))),
    }
}

fn parse(text: &str) -> Result<Vec<Leaf<'_>>, String> {
    let table = DeTable::parse(text).map_err(|error| error.to_string())?;
    let mut leaves = Vec::new();
    gather("", table.into_inner(), &mut leaves);
    Ok(leaves)
}

fn gather<'i>(prefix: &str, table: DeTable<'i>, leaves: &mut Vec<Leaf<'i>>) {
    for (name, value) in table {
        let key = if prefix.is_empty() {
            name.get_ref().to_string()
        } else {
            format!("{prefix}.{}", name.get_ref())
        };
        let start = name.span().start;
        match Spanned::into_inner(value) {
            DeValue::Table(inner) => gather(&key, inner, leaves),
            value => leaves.push((key, value, start)),
        }
    }
}

/// Converts `value` to one of the types of settings.
fn plain(value: &DeValue<'_>) -> Option<Value> {
    match value {
        DeValue::String(text) => Some(Value::Text(text.to_string())),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(Value::Number)
        }
        DeValue::Array(array) => {
            let text =
                |element: &Spanned<DeValue<'_>>| Some(element.get_ref().as_str()?.to_owned());
            array.iter().map(text).collect::<Option<_>>().map(Value::List)
        }
        _ => None,
    }
}

/// `value` with its type.
fn found(value: &DeValue<'_>) -> String {
    let literal = literal(value);
    match value {
        DeValue::String(_) => format!("the string {literal}"),
        DeValue::Integer(_) | DeValue::Float(_) => format!("the number {literal}"),
        DeValue::Datetime(_) => format!("the time {literal}"),
        _ => literal,
    }
}

/// `value` as it is written.
fn literal(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(moment) => moment.to_string(),
        DeValue::Array(_) => "a list with other elements".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
