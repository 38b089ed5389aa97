//! The defaults and the operator's file, both TOML, as values with their lines.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Secret;
use super::layers::{DEFAULTS, Entry, Layers, default_entry, unknown};
use super::problem::{ConfigError, Problem};
use super::providers;
use super::value::{Origin, Value, quoted};

/// Largest file of settings, in bytes; the defaults with all their words take under ten thousand.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// A leaf of the file: `section.key`, its value, and the byte where it stands.
type Leaf<'i> = (String, DeValue<'i>, usize);

/// The settings of `config.default.toml`, and an empty one for each that a known provider has.
pub(super) fn defaults(known_providers: &[String]) -> BTreeMap<String, Entry> {
    let leaves = parse(DEFAULTS).unwrap_or_default();
    let written = leaves.into_iter().filter_map(|(key, value, _)| Some((key, plain(&value)?)));
    let of_providers =
        providers::keys(known_providers).map(|key| (key, Value::Text(String::new())));
    written
        .chain(of_providers)
        .map(|(key, value)| (key.clone(), default_entry(&key, value)))
        .collect()
}

/// Puts the values of the file at `path` upon `layers`.
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
        match accept(layers, &key, &value) {
            Ok(value) => layers.set(&key, value, origin),
            Err(message) => problems.push(Problem::new(key, message, &origin)),
        }
    }
    Ok(())
}

fn accept(layers: &Layers, key: &str, value: &DeValue<'_>) -> Result<Value, String> {
    let Some(entry) = layers.find(key) else {
        return Err(providers::unknown(key, layers).unwrap_or_else(|| unknown(key, layers.keys())));
    };
    match (&entry.value, plain(value)) {
        (Value::Text(_), Some(Value::Text(text))) => Ok(Value::Text(text)),
        (Value::Secret(_), Some(Value::Text(text))) => Ok(Value::Secret(Secret::new(text))),
        (Value::Number(_), Some(Value::Number(number))) => Ok(Value::Number(number)),
        (Value::List(_), Some(Value::List(list))) => Ok(Value::List(list)),
        (Value::Secret(_), _) => Err("expected a text in quotation marks".to_owned()),
        (default, _) => Err(format!("expected {}, found {}", default.expected(), found(value))),
    }
}

fn read(path: &Path) -> Result<String, ConfigError> {
    let unreadable = |reason: String| ConfigError::Unreadable { path: path.into(), reason };
    let file = std::fs::File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut text = String::new();
    let read = file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
    match read.map_err(|error| unreadable(error.to_string()))? as u64 {
        0..=FILE_BYTES_MAX => Ok(text),
        _ => Err(unreadable(format!("it has more than {FILE_BYTES_MAX} bytes"))),
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

/// `value` as one of the types that settings have.
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

fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text {}", quoted(text)),
        DeValue::Integer(number) => format!("the number {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(moment) => format!("the time {moment}"),
        DeValue::Array(_) => "a list with something else in it".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
