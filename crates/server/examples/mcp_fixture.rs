//! A server of the Model Context Protocol on the transport of `POST /mcp`, with the tools, prompts and
//! resources that `@modelcontextprotocol/conformance` asks for. `tests/mcp/run` starts it.

#![expect(clippy::print_stdout, reason = "prints its address")]

use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use retouch_server::mcp::{http, origin};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;

/// A PNG of one pixel, and a WAV without samples.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
/// The largest message, in bytes.
const BODY_BYTES_MAX: usize = 4 << 20;
/// The pause between two reports of progress, in milliseconds.
const PAUSE_MS: u64 = 50;

struct Fixture;

/// The content of a tool's answer, or none if there is no such tool.
fn content(tool: &str) -> Option<Value> {
    let resource = |uri: &str| json!({ "uri": uri, "mimeType": "text/plain", "text": "embedded" });
    Some(match tool {
        "test_simple_text" | "test_tool_with_progress" => {
            json!([{ "type": "text", "text": "This is a simple text response for testing." }])
        }
        "test_image_content" => json!([{ "type": "image", "data": PNG, "mimeType": "image/png" }]),
        "test_audio_content" => json!([{ "type": "audio", "data": WAV, "mimeType": "audio/wav" }]),
        "test_embedded_resource" => {
            json!([{ "type": "resource", "resource": resource("test://embedded-resource") }])
        }
        "test_multiple_content_types" => json!([
            { "type": "text", "text": "Multiple content types test:" },
            { "type": "image", "data": PNG, "mimeType": "image/png" },
            { "type": "resource", "resource": resource("test://mixed-content-resource") },
        ]),
        "test_error_handling" => {
            json!([{ "type": "text", "text": "This tool intentionally returns an error for testing" }])
        }
        _ => return None,
    })
}

const TOOLS: [&str; 7] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_progress",
];

/// The message of a prompt, or none if there is no such prompt.
fn prompt(name: &str, arguments: &Value) -> Option<Value> {
    let said = |argument: &str| arguments[argument].as_str().unwrap_or_default();
    let text = |text: String| json!({ "type": "text", "text": text });
    Some(match name {
        "test_simple_prompt" => text("This is a simple prompt for testing.".to_owned()),
        "test_prompt_with_arguments" => {
            let (first, second) = (said("arg1"), said("arg2"));
            text(format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))
        }
        "test_prompt_with_embedded_resource" => {
            let uri = said("resourceUri");
            json!({
                "type": "resource",
                "resource": { "uri": uri, "mimeType": "text/plain", "text": "embedded" },
            })
        }
        "test_prompt_with_image" => {
            json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
        }
        _ => return None,
    })
}

/// `value` as a type of the protocol.
fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

async fn report_progress(context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else { return };
    for done in [0.0, 50.0, 100.0] {
        let progress = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
        // A client that has gone needs no progress.
        let _ = context.peer.notify_progress(progress).await;
        tokio::time::sleep(Duration::from_millis(PAUSE_MS)).await;
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_resources()
            .enable_tools()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("fixture", "1"))
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &str| {
            let schema = json!({ "type": "object", "properties": {} });
            json!({ "name": name, "description": "A tool for a test.", "inputSchema": schema })
        };
        read(json!(TOOLS.map(tool))).map(ListToolsResult::with_all_items)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let unknown = || ErrorData::invalid_params("There is no such tool.", None);
        let content = read(content(&request.name).ok_or_else(unknown)?)?;
        if request.name == "test_tool_with_progress" {
            report_progress(&context).await;
        }
        Ok(match &*request.name {
            "test_error_handling" => CallToolResult::error(content),
            _ => CallToolResult::success(content),
        }
        .into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let items = json!([
            { "uri": "test://static-text", "name": "text", "mimeType": "text/plain" },
            { "uri": "test://static-binary", "name": "image", "mimeType": "image/png" },
        ]);
        read(items).map(ListResourcesResult::with_all_items)
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let items = json!([{ "uriTemplate": "test://template/{id}/data", "name": "data" }]);
        read(items).map(ListResourceTemplatesResult::with_all_items)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let contents = match (uri, id) {
            ("test://static-text", _) => {
                json!({ "uri": uri, "mimeType": "text/plain", "text": "A static text." })
            }
            ("test://static-binary", _) => {
                json!({ "uri": uri, "mimeType": "image/png", "blob": PNG })
            }
            (_, Some(id)) => json!({
                "uri": uri, "mimeType": "application/json", "text": json!({ "id": id }).to_string(),
            }),
            _ => {
                return Err(ErrorData::resource_not_found(
                    "There is no such resource.",
                    Some(json!({ "uri": uri })),
                ));
            }
        };
        Ok(ReadResourceResult::new(vec![read(contents)?]).into())
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let argument =
            |name: &str| json!({ "name": name, "description": "Any.", "required": true });
        let two = ["arg1", "arg2"].map(argument);
        let resource = [argument("resourceUri")];
        let about = "A prompt for a test.";
        let items = json!([
            { "name": "test_simple_prompt", "description": about },
            { "name": "test_prompt_with_arguments", "description": about, "arguments": two },
            {
                "name": "test_prompt_with_embedded_resource",
                "description": about,
                "arguments": resource,
            },
            { "name": "test_prompt_with_image", "description": about },
        ]);
        read(items).map(ListPromptsResult::with_all_items)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let unknown = || ErrorData::invalid_params("There is no such prompt.", None);
        let content = prompt(&request.name, &json!(request.arguments)).ok_or_else(unknown)?;
        let message = json!({ "role": "user", "content": content });
        let result: GetPromptResult = read(json!({ "messages": [message] }))?;
        Ok(GetPromptResult::new(result.messages).into())
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        read(json!({ "values": [], "total": 0, "hasMore": false })).map(CompleteResult::new)
    }
}

/// Answers a message as `POST /mcp` does, for anyone.
async fn answer(public_url: Url, request: Request) -> Response {
    if let Err(refusal) = origin::check(&public_url, request.headers()) {
        return refusal.into_response();
    }
    let (parts, body) = request.into_parts();
    match axum::body::to_bytes(body, BODY_BYTES_MAX).await {
        Ok(body) => http::serve(|| Fixture, parts, body).await,
        Err(error) => (axum::http::StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = Url::parse(&format!("http://{}/mcp", listener.local_addr()?))?;
    println!("{url}");
    let router = Router::new().route("/mcp", post(move |request| answer(url.clone(), request)));
    axum::serve(listener, router).await?;
    Ok(())
}
