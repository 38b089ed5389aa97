//! The tools on this machine, with the built-in editor: no server, no account, no charge.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base64_simd::forgiving_decode_to_vec;
use retouch_core::edit::{Body, Draft};
use retouch_core::image::OutputFormat;
use retouch_engine::codec::{self, FitRules, Format};
use retouch_engine::{AnyPicture, Plan};
use retouch_providers::Media;
use retouch_providers::built_in::plan;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, JsonObject,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, Resource, ServerConfig, Tool as Described,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use super::files;
use crate::cli::answer::Failure;
use crate::cli::edit::{self, output};
use crate::error::ApiError;
use crate::mcp::tools::{self, Tool};
use crate::mcp::{PREVIEW, answer, info, resources};

/// What an assistant reads before it uses the tools.
const INSTRUCTIONS: &str = "\
Retouch edits image files on this computer from plain-English instructions, with its built-in editor. It \
understands precise instructions such as `crop to 16:9, then increase the warmth by 20%`, and refuses what it \
does not understand. Before you call edit_image, call plan_edit with your instruction: it says what would be \
done, or which words stopped the editor and what works instead. The resource retouch://manual lists everything \
that the editor can do. Pass save_to to keep a result; without it, you only see a preview.";

/// What an image may be.
const ACCEPTED: &str = "the path of a file, or a data: URI.";

/// The tools that work without a server.
const TOOLS: [Tool; 3] = [Tool::EditImage, Tool::GenerateImage, Tool::PlanEdit];

/// The arguments that mean something to the built-in editor.
const ARGUMENTS: [&str; 8] = [
    "instruction",
    "plan",
    "pictures",
    "images",
    "aspectRatio",
    "size",
    "kind",
    "duration_seconds",
];

/// The built-in editor as a service. It works on one image at a time, so that its memory is that of one
/// edit.
#[derive(Clone)]
pub(super) struct Local {
    turn: Arc<Mutex<()>>,
}

/// The arguments of an edit.
#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    images: Vec<String>,
    #[serde(flatten)]
    rest: JsonObject,
}

/// What was made.
#[derive(Serialize)]
struct Made {
    file: Option<PathBuf>,
    width: u32,
    height: u32,
    plan: Value,
    warnings: Vec<String>,
}

impl Local {
    pub(super) fn new() -> Self {
        Self { turn: Arc::default() }
    }

    fn tools() -> Vec<Described> {
        let ours = tools::all().iter().filter(|tool| TOOLS.iter().any(|it| it.name() == tool.name));
        files::with_paths(ours.cloned().map(plain).collect(), ACCEPTED)
    }
}

/// `tool` as it is without a server.
fn plain(mut tool: Described) -> Described {
    let mut schema = JsonObject::clone(&tool.input_schema);
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        fields.retain(|name, _| ARGUMENTS.contains(&name.as_str()));
    }
    tool.input_schema = schema.into();
    if tool.name != Tool::PlanEdit.name() {
        tool.output_schema = Some(Arc::new(made_schema()));
        tool.description = Some(
            "Make an image with the built-in editor, from an instruction or a \
            plan. Costs nothing. Check the instruction with plan_edit first."
                .into(),
        );
    }
    tool
}

fn made_schema() -> JsonObject {
    let schema = json!({
        "type": "object",
        "properties": {
            "file": { "type": ["string", "null"], "description": "Where the result was saved." },
            "width": { "type": "integer" },
            "height": { "type": "integer" },
            "plan": { "type": "object", "description": "What was done, step by step." },
            "warnings": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["file", "width", "height", "plan", "warnings"],
    });
    schema.as_object().cloned().unwrap_or_default()
}

/// Does what `tool` does.
fn carry_out(tool: Tool, mut given: JsonObject) -> Result<CallToolResult, String> {
    if tool == Tool::PlanEdit {
        let body = serde_json::to_vec(&given).map_err(|error| error.to_string())?;
        let view = crate::api::plan::read(&body).map_err(message)?;
        return answer::data(answer::planned(&view), &view).map_err(message);
    }
    let save_to = files::take_save_to(&mut given)?;
    let Asked { images, mut rest } =
        serde_json::from_value(Value::Object(given)).map_err(|error| error.to_string())?;
    if images.is_empty() && tool == Tool::EditImage {
        return Err("There is no image. Pass its path in `images`.".to_owned());
    }
    rest.insert("pictures".to_owned(), images.len().into());
    let plan = planned(&rest)?;
    let pictures = images.iter().map(|image| load(image)).collect::<Result<Vec<_>, _>>()?;
    make(&plan, pictures, save_to)
}

/// The plan of an edit with these arguments.
fn planned(arguments: &JsonObject) -> Result<Plan, String> {
    let body = serde_json::to_vec(arguments).map_err(|error| error.to_string())?;
    let body = Body::parse(&body).map_err(|error| error.to_string())?;
    let draft = Draft::accept(&body).map_err(|error| error.to_string())?;
    let context = plan::context(draft.pictures as usize, draft.aspect_ratio, draft.size);
    edit::read(draft.task, &context).map_err(Failure::into_message)
}

fn load(image: &str) -> Result<AnyPicture, String> {
    if let Some((_, text)) = image.strip_prefix("data:").and_then(|rest| rest.split_once(',')) {
        let file = forgiving_decode_to_vec(text.as_bytes())
            .map_err(|_| "A data: URI is not in base64.".to_owned())?;
        return edit::decode(&file);
    }
    if !files::is_path(image) {
        return Err("Without a server, images are files on this computer: pass their paths.".into());
    }
    edit::load(&files::path(image).to_string_lossy()).map_err(Failure::into_message)
}

fn make(
    plan: &Plan,
    pictures: Vec<AnyPicture>,
    save_to: Option<PathBuf>,
) -> Result<CallToolResult, String> {
    let format = match &save_to {
        Some(path) => edit::result_format(path, None).map_err(Failure::into_message)?,
        None => None,
    };
    let encoding = edit::encoding(format, plan).map_err(Failure::into_message)?;
    let edited = retouch_engine::execute_any(plan, pictures).map_err(|error| error.to_string())?;
    let encoded = output::encode(&edited.picture, encoding, plan)?;
    let mut warnings: Vec<String> = edited.warnings.iter().map(ToString::to_string).collect();
    warnings.extend(plan.unused_inputs.iter().map(|at| format!("image {} is not used", at + 1)));
    warnings.extend(output::lost(&encoded));
    if let Some(path) = &save_to {
        output::save_new(path, &encoded.bytes)?;
    }
    let (width, height) = encoded.reduced_to.unwrap_or_else(|| edited.picture.size());
    let plan = plan::shown(plan).map_err(|error| error.to_string())?;
    let made = Made { file: save_to, width, height, plan, warnings };
    let mut result = answer::data(text(&made), &made).map_err(message)?;
    result.content.push(answer::picture(&preview(encoded.bytes)?));
    result.content.extend(made.file.as_deref().and_then(|path| link(path, encoding.format)));
    Ok(result)
}

/// What was done, for assistants and people.
fn text(made: &Made) -> String {
    let Made { file, width, height, plan, warnings } = made;
    let place = file.as_ref().map_or_else(
        || "Not saved: pass save_to to keep the result".to_owned(),
        |path| format!("Saved {}", path.display()),
    );
    let mut lines = vec![format!("{place} ({width}x{height} pixels).")];
    lines.extend(answer::steps(Some(plan)).map(|steps| format!("Done: {steps}.")));
    lines.extend(warnings.iter().map(|warning| format!("Warning: {warning}")));
    lines.join("\n")
}

/// A small copy of `file`.
fn preview(file: Vec<u8>) -> Result<Vec<u8>, String> {
    let rules = FitRules {
        formats: &[Format::Png, Format::Jpeg],
        bytes_max: PREVIEW.bytes_max,
        side_px_min: 1,
        side_px_max: PREVIEW.side_px_max,
        pixels_max: u64::from(PREVIEW.side_px_max) * u64::from(PREVIEW.side_px_max),
    };
    let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
    let fitted = codec::fit(&file, &limits, &rules).map_err(|error| error.to_string())?;
    Ok(fitted.map_or(file, |fitted| fitted.bytes))
}

/// A link to the saved file.
fn link(path: &Path, format: OutputFormat) -> Option<ContentBlock> {
    let address = Url::from_file_path(std::path::absolute(path).ok()?).ok()?;
    let name = path.file_name()?.to_string_lossy();
    let kind = Media::of_format(format).content_type();
    Some(ContentBlock::resource_link(Resource::new(address, name).with_mime_type(kind)))
}

fn message(error: ApiError) -> String {
    error.message
}

impl ServerHandler for Local {
    fn get_info(&self) -> ServerConfig {
        info(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(Self::tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = Tool::find(&request.name).filter(|tool| TOOLS.contains(tool));
        let tool = tool.ok_or_else(tools::unknown)?;
        let (turn, given) = (Arc::clone(&self.turn), request.arguments.unwrap_or_default());
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            carry_out(tool, given)
        });
        let done = work.await.unwrap_or_else(|error| Err(error.to_string()));
        let failed = |text| CallToolResult::error(vec![ContentBlock::text(text)]);
        Ok(done.unwrap_or_else(failed).into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![resources::manual()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let manual = resources::read_manual(&request.uri).map(Into::into);
        manual.ok_or_else(|| resources::unknown(&request.uri))
    }
}
