//! The tools: their names, descriptions, arguments and results.

use std::sync::{Arc, LazyLock};

use retouch_core::edit::PICTURES_MAX;
use rmcp::model::{ErrorData, JsonObject, Tool as Described, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::schema;

/// What an assistant can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    EditImage,
    GenerateImage,
    PlanEdit,
    EstimateCost,
    GetGeneration,
    ListModels,
    GetBalance,
    UploadImage,
}

/// Fields of requests that assistants do not need: other names for the same, fields with a better
/// form here, and options of few providers.
const LEFT_OUT: [&str; 7] =
    ["prompt", "imageUrl", "imageUrls", "imageBase64", "n", "watermark", "prompt_extend"];

impl Tool {
    /// All of them, in the order in which they are listed.
    pub(crate) const ALL: [Self; 8] = [
        Self::EditImage,
        Self::GenerateImage,
        Self::PlanEdit,
        Self::EstimateCost,
        Self::GetGeneration,
        Self::ListModels,
        Self::GetBalance,
        Self::UploadImage,
    ];

    /// The tool called `name`.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::EditImage => "edit_image",
            Self::GenerateImage => "generate_image",
            Self::PlanEdit => "plan_edit",
            Self::EstimateCost => "estimate_cost",
            Self::GetGeneration => "get_generation",
            Self::ListModels => "list_models",
            Self::GetBalance => "get_balance",
            Self::UploadImage => "upload_image",
        }
    }

    /// Its name for people.
    fn title(self) -> &'static str {
        match self {
            Self::EditImage => "Edit an image",
            Self::GenerateImage => "Create an image from text",
            Self::PlanEdit => "Plan an edit",
            Self::EstimateCost => "Estimate the cost",
            Self::GetGeneration => "Get a generation",
            Self::ListModels => "List models",
            Self::GetBalance => "Get the balance",
            Self::UploadImage => "Upload an image",
        }
    }

    /// What it does, for assistants.
    fn description(self) -> &'static str {
        match self {
            Self::EditImage => {
                "Edit one to four images from an instruction. Charges credits if there is a result. \
                 Answers with a small preview, a link to the full image, and the steps that were \
                 performed. Check the instruction with plan_edit first."
            }
            Self::GenerateImage => {
                "Create an image from text. Charges credits if there is a result. Without a \
                 generative model, the built-in editor creates plain images, gradients and text: \
                 check the instruction with plan_edit and `pictures: 0`."
            }
            Self::PlanEdit => {
                "Say what the built-in editor would do with an instruction, step by step, or which \
                 words it does not understand and the nearest instruction that works. Costs nothing \
                 and changes nothing. The resource retouch://manual lists everything it can do."
            }
            Self::EstimateCost => {
                "Say what a call of edit_image or generate_image would cost and who would perform \
                 it, from the same arguments. Costs nothing and changes nothing."
            }
            Self::GetGeneration => {
                "Get an earlier edit or image by its uuid: its status, cost, plan and result, with a \
                 small preview."
            }
            Self::ListModels => {
                "List the models with their prices in credits, aspect ratios and limits."
            }
            Self::GetBalance => "Get the credits that are left, by source.",
            Self::UploadImage => {
                "Store an image for 24 hours, to use it in several edits. Costs nothing. Pass the id \
                 from the answer in `images`."
            }
        }
    }

    /// Whether it only reads.
    pub(crate) fn reads_only(self) -> bool {
        !matches!(self, Self::EditImage | Self::GenerateImage | Self::UploadImage)
    }

    /// The schema of its arguments.
    fn input(self) -> JsonObject {
        match self {
            Self::EditImage => {
                let mut charged = charged();
                charged.push(("images", images()));
                let mut schema = schema::request("ImageEditRequest", &LEFT_OUT, &charged);
                schema.insert("required".into(), json!(["images"]));
                schema
            }
            Self::GenerateImage => schema::request("TextToImageRequest", &LEFT_OUT, &charged()),
            Self::PlanEdit => schema::request("PlanRequest", &["prompt"], &[]),
            Self::EstimateCost => {
                let more = [("kind", kind("What the call would do.")), ("images", images())];
                schema::request("ImageEditRequest", &LEFT_OUT, &more)
            }
            Self::GetGeneration => {
                let uuid =
                    json!({ "type": "string", "description": "The uuid of the generation." });
                schema::object(&[("uuid", uuid)])
            }
            Self::ListModels => {
                optional("kind", &kind("Only models that can do this, with the prices for it."))
            }
            Self::GetBalance => optional_none(),
            Self::UploadImage => {
                let image = json!({
                    "type": "string",
                    "description": "The image: a data: URI, or the file in base64.",
                });
                schema::object(&[("image", image)])
            }
        }
    }

    /// The schema of its structured result.
    fn output(self) -> JsonObject {
        match self {
            Self::EditImage | Self::GenerateImage | Self::GetGeneration => {
                let available = json!({ "type": "integer", "description": "Credits left." });
                let generation = Value::Object(schema::component("GenerationView"));
                schema::object(&[("generation", generation), ("available", available)])
            }
            Self::EstimateCost => {
                let credits = |what: &str| json!({ "type": "integer", "description": what });
                let provider = json!({
                    "type": "string", "description": "The provider that would be asked first.",
                });
                let plan = json!({
                    "type": ["object", "null"],
                    "description": "What the built-in editor would do, or null for other providers.",
                });
                schema::object(&[
                    ("cost", credits("The credits that the call would charge.")),
                    ("available", credits("Credits left.")),
                    ("provider", provider),
                    ("plan", plan),
                    ("warnings", json!({ "type": "array", "items": { "type": "object" } })),
                ])
            }
            Self::PlanEdit => {
                let plan = json!({
                    "type": ["object", "null"],
                    "description": "The plan, with its steps in `words`. Null if the instruction is \
                                    refused.",
                });
                let refusal = Value::Object(schema::component("RefusalView"));
                let refusal = json!({ "oneOf": [{ "type": "null" }, refusal] });
                schema::object(&[("plan", plan), ("refusal", refusal)])
            }
            Self::ListModels => {
                let mut model = schema::component("ModelView");
                let definitions = model.remove("$defs").unwrap_or_default();
                let models = json!({ "type": "array", "items": model, "$defs": definitions });
                schema::object(&[("data", models)])
            }
            Self::GetBalance => schema::component("CreditsView"),
            Self::UploadImage => schema::component("UploadView"),
        }
    }

    fn described(self) -> Described {
        // Nothing is ever overwritten or deleted. With an idempotency_key, repeating a call changes
        // nothing; uploading twice stores the image twice.
        let annotations = ToolAnnotations::with_title(self.title())
            .read_only(self.reads_only())
            .destructive(false)
            .idempotent(self != Self::UploadImage)
            .open_world(matches!(self, Self::EditImage | Self::GenerateImage));
        Described::new(self.name(), self.description(), self.input())
            .with_title(self.title())
            .with_raw_output_schema(Arc::new(self.output()))
            .with_annotations(annotations)
    }
}

/// The argument with the input images.
fn images() -> Value {
    json!({
        "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": PICTURES_MAX,
        "description": "The images: each an id from upload_image, an http or https address, or a \
                        data: URI.",
    })
}

/// The argument with a kind of call.
fn kind(description: &str) -> Value {
    let kinds = ["image_edit", "text_to_image", "video"];
    json!({ "type": "string", "enum": kinds, "description": description })
}

/// The arguments of calls that are charged, besides those of the API.
fn charged() -> Vec<(&'static str, Value)> {
    let key = json!({
        "type": "string", "minLength": 1, "maxLength": 255,
        "description": "Any text without spaces that you have not used before. If you repeat the \
                        call with the same one, you get the first result and pay once.",
    });
    let full = json!({
        "type": "boolean", "default": false,
        "description": "Whether to answer with the full image instead of a small preview. It may \
                        have many megabytes.",
    });
    vec![("idempotency_key", key), ("full_image", full)]
}

/// An object with one field, which may be missing.
fn optional(name: &str, field: &Value) -> JsonObject {
    let mut schema = optional_none();
    schema.insert("properties".into(), json!({ name: field }));
    schema
}

/// An object without fields.
fn optional_none() -> JsonObject {
    Map::from_iter([("type".to_owned(), "object".into())])
}

static DESCRIBED: LazyLock<Vec<Described>> =
    LazyLock::new(|| Tool::ALL.into_iter().map(Tool::described).collect());

/// There is no such tool.
pub(crate) fn unknown() -> ErrorData {
    ErrorData::invalid_params("There is no such tool. tools/list lists them.", None)
}

/// All tools, as clients see them.
pub(crate) fn all() -> &'static [Described] {
    &DESCRIBED
}
