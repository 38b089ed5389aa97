//! The tools of a server, for an assistant on this machine: each call goes to the server's `/mcp`. Files
//! are uploaded before, and results saved after it.

use std::path::Path;

use base64_simd::STANDARD;
use bytes::Bytes;
use retouch_outbound::client::{Auth, Body, Call, Client, ClientLimits, Endpoint, Key};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, JsonObject,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResultType, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;

use super::files;
use crate::cli::answer::Failure;
use crate::cli::edit::{self, output};

/// What an image may be.
const ACCEPTED: &str = "the path of a file on this computer, an http or https address, a data: URI, or \
                        an id from upload_image.";

/// The limits on calls. The server says that it is alive while an edit takes minutes.
const LIMITS: ClientLimits = ClientLimits {
    connect_ms_max: 10_000,
    answer_ms_max: 60_000,
    idle_ms_max: 60_000,
    answer_bytes_max: 256 << 20,
};

/// The revision in which this asks the server: it needs no session and streams from the beginning.
const REVISION: ProtocolVersion = ProtocolVersion::V_2025_11_25;

/// A server.
pub(super) struct Remote {
    client: Client,
    info: ServerConfig,
}

/// A JSON-RPC answer, or the body of an error of the API.
#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    message: String,
}

impl Remote {
    /// Connects to `server`, which must accept the key.
    pub(super) async fn connect(server: Url, key: Key) -> Result<Self, Failure> {
        let endpoint = Endpoint { base: server, key: Some(key) };
        let client = Client::new(endpoint, Auth::Bearer, LIMITS).map_err(Failure::failed)?;
        let us = json!({ "name": "retouch", "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": REVISION, "capabilities": {}, "clientInfo": us });
        let info = ask(&client, "initialize", hello).await.map_err(Failure::Failed)?;
        Ok(Self { client, info })
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        parameters: Value,
    ) -> Result<T, ErrorData> {
        let asked = ask(&self.client, method, parameters).await;
        asked.map_err(|message| ErrorData::internal_error(message, None))
    }

    /// Calls a tool with the arguments that the assistant gave.
    async fn call(&self, name: &str, mut given: JsonObject) -> Result<CallToolResult, String> {
        let save_to = files::take_save_to(&mut given)?;
        if let Some(path) = &save_to
            && let Some(format) = edit::result_format(path, None).map_err(Failure::into_message)?
        {
            given.entry("output_format").or_insert(format.as_str().into());
        }
        self.send_files(&mut given).await?;
        let mut result = self.call_tool_there(name, given).await?;
        if let Some(path) = save_to.filter(|_| result.is_error != Some(true)) {
            let line = self.save(&result, &path).await?;
            result.content.push(ContentBlock::text(line));
        }
        Ok(result)
    }

    async fn call_tool_there(
        &self,
        name: &str,
        given: JsonObject,
    ) -> Result<CallToolResult, String> {
        let parameters = json!({ "name": name, "arguments": given });
        let mut result: CallToolResult = ask(&self.client, "tools/call", parameters).await?;
        result.result_type = Some(ResultType::COMPLETE);
        Ok(result)
    }

    /// Replaces the paths in the arguments: `image` becomes the file, and each of `images` an upload.
    async fn send_files(&self, given: &mut JsonObject) -> Result<(), String> {
        if let Some(Value::String(image)) = given.get_mut("image")
            && files::is_path(image)
            && files::path(image).exists()
        {
            *image = base64(image)?;
        }
        let Some(Value::Array(images)) = given.get_mut("images") else { return Ok(()) };
        for image in images {
            if let Value::String(text) = image
                && files::is_path(text)
            {
                let file = JsonObject::from_iter([("image".to_owned(), base64(text)?.into())]);
                let uploaded = self.call_tool_there("upload_image", file).await?;
                *text = upload_id(&uploaded)?;
            }
        }
        Ok(())
    }

    /// Saves the full result.
    async fn save(&self, result: &CallToolResult, path: &Path) -> Result<String, String> {
        let file = self.file(result).await.map_err(|reason| {
            format!("The result is stored at the server, but could not be saved here: {reason}")
        })?;
        output::save_new(path, &file)?;
        Ok(format!("Saved {}.", path.display()))
    }

    /// The full result, from the server that made it: its address may be one that only the server's
    /// users know.
    async fn file(&self, result: &CallToolResult) -> Result<Bytes, String> {
        let stored = result.structured_content.as_ref();
        let url = stored.and_then(|data| data.pointer("/generation/stored_images/0"));
        let name = url.and_then(Value::as_str).and_then(|url| url.rsplit('/').next());
        let name = name.ok_or("the answer names no stored image")?;
        let answer = self.client.send(&Call::get(format!("/files/{name}")), true).await;
        let answer = answer.map_err(|error| error.to_string())?;
        if answer.status.is_success() { Ok(answer.body) } else { Err(answer.shown()) }
    }
}

/// Asks the server. The error is for a person.
async fn ask<T: DeserializeOwned>(
    client: &Client,
    method: &str,
    parameters: Value,
) -> Result<T, String> {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters });
    let call = Call::post("/mcp", Body::json(&message))
        .with_header("accept", "application/json, text/event-stream")
        .with_header("mcp-protocol-version", REVISION.as_str());
    let answer = client.send(&call, true).await;
    let answer = answer.map_err(|error| format!("{} did not answer: {error}", client.base()))?;
    let text = String::from_utf8_lossy(&answer.body);
    // The last event of a stream is the answer.
    let events = text.lines().rev().find_map(|line| line.strip_prefix("data:"));
    let unreadable = || format!("{} answered with {}", client.base(), answer.shown());
    let reply: Reply = serde_json::from_str(events.unwrap_or(&text)).map_err(|_| unreadable())?;
    match reply {
        Reply { error: Some(fault), .. } => Err(fault.message),
        Reply { result: Some(result), .. } => {
            serde_json::from_value(result).map_err(|error| format!("{}: {error}", unreadable()))
        }
        Reply { .. } => Err(unreadable()),
    }
}

fn base64(text: &str) -> Result<String, String> {
    let path = files::path(text);
    let file = edit::bytes_of(&path).map_err(|reason| format!("{}: {reason}", path.display()))?;
    Ok(STANDARD.encode_to_string(file))
}

/// The id of an upload.
fn upload_id(uploaded: &CallToolResult) -> Result<String, String> {
    let data = uploaded.structured_content.as_ref();
    let id = data.and_then(|data| data.get("id")).and_then(Value::as_str);
    let said =
        || uploaded.content.first().and_then(ContentBlock::as_text).map(|it| it.text.clone());
    id.map(ToOwned::to_owned).ok_or_else(|| said().unwrap_or_default())
}

impl ServerHandler for Remote {
    fn get_info(&self) -> ServerConfig {
        self.info.clone()
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let list: ListToolsResult = self.ask("tools/list", json!({})).await?;
        Ok(ListToolsResult::with_all_items(files::with_paths(list.tools, ACCEPTED)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let done = self.call(&request.name, request.arguments.unwrap_or_default()).await;
        let failed = |text| CallToolResult::error(vec![ContentBlock::text(text)]);
        Ok(done.unwrap_or_else(failed).into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let list: ListResourcesResult = self.ask("resources/list", json!({})).await?;
        Ok(ListResourcesResult::with_all_items(list.resources))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let list: ListResourceTemplatesResult =
            self.ask("resources/templates/list", json!({})).await?;
        Ok(ListResourceTemplatesResult::with_all_items(list.resource_templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read: ReadResourceResult =
            self.ask("resources/read", json!({ "uri": request.uri })).await?;
        Ok(ReadResourceResult::new(read.contents).into())
    }
}
