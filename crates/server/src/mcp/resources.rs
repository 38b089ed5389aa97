//! The resources: the manual of the built-in editor, and the generations of an account.

use rmcp::model::{
    CacheScope, ErrorData, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};
use serde_json::json;

use crate::edits::GenerationView;
use crate::error::{ApiError, Code};

/// The manual: everything that the built-in editor understands.
const MANUAL_TEXT: &str = include_str!("../../../../docs/editing-by-words.md");
const MANUAL: &str = "retouch://manual";
const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";

/// What the address of a generation starts with.
const GENERATIONS: &str = "retouch://generations/";

/// How long clients may keep the manual, in milliseconds. It changes only with another version.
const MANUAL_KEPT_MS: u64 = 3_600_000;

/// The manual in the list of resources.
pub(crate) fn manual() -> Resource {
    Resource::new(MANUAL, "manual")
        .with_title("What the built-in editor can do")
        .with_description("Every operation, with the words for it, its limits and examples.")
        .with_mime_type(MARKDOWN)
        .with_size(MANUAL_TEXT.len() as u64)
}

/// The generations in the list of resource templates.
pub(super) fn generations() -> ResourceTemplate {
    ResourceTemplate::new(format!("{GENERATIONS}{{uuid}}"), "generation")
        .with_title("A generation")
        .with_description("The record of an edit: its status, cost, plan and stored images.")
        .with_mime_type(JSON)
}

/// The manual, if `uri` names it.
pub(crate) fn read_manual(uri: &str) -> Option<ReadResourceResult> {
    let contents = (uri == MANUAL).then(|| contents(uri, MARKDOWN, MANUAL_TEXT.to_owned()))?;
    let result = ReadResourceResult::new(vec![contents]);
    Some(result.with_ttl_ms(MANUAL_KEPT_MS).with_cache_scope(CacheScope::Public))
}

/// The uuid in the address of a generation.
pub(super) fn uuid(uri: &str) -> Option<&str> {
    uri.strip_prefix(GENERATIONS)
}

/// The generation at `uri`.
pub(super) fn read_generation(
    uri: &str,
    view: &GenerationView,
) -> Result<ReadResourceResult, ErrorData> {
    let text = serde_json::to_string(view)
        .map_err(|_| ErrorData::internal_error("The generation cannot be shown.", None))?;
    let result = ReadResourceResult::new(vec![contents(uri, JSON, text)]);
    Ok(result.with_ttl_ms(0).with_cache_scope(CacheScope::Private))
}

/// There is no resource at `uri`.
pub(crate) fn unknown(uri: &str) -> ErrorData {
    let data = json!({ "uri": crate::http::shown(uri) });
    ErrorData::resource_not_found("There is no such resource.", Some(data))
}

/// The error of the resource at `uri`, which was refused.
pub(super) fn refused(uri: &str, error: &ApiError) -> ErrorData {
    match error.code {
        Code::NotFound => unknown(uri),
        Code::ServerError => ErrorData::internal_error(error.message.clone(), None),
        _ => ErrorData::invalid_request(error.message.clone(), None),
    }
}

fn contents(uri: &str, kind: &str, text: String) -> ResourceContents {
    ResourceContents::TextResourceContents {
        uri: uri.to_owned(),
        mime_type: Some(kind.to_owned()),
        text,
        meta: None,
    }
}
