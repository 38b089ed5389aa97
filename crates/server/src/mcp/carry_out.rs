//! What each tool does: the same as a call of the API, with its scopes, limits and prices.

use base64_simd::forgiving_decode_to_vec;
use bytes::Bytes;
use retouch_core::edit::Supplement;
use retouch_core::{Kind, Warning};
use retouch_outbound::stock::Allowance;
use retouch_store::Scope;
use rmcp::model::{CallToolResult, JsonObject};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PREVIEW;
use super::answer::{self, Shown, data};
use super::arguments::{self, Asked, read};
use super::desk::Desk;
use super::tools::Tool;
use crate::api::{catalogue, credits, generations, plan, uploads as uploaded};
use crate::app::App;
use crate::auth::Caller;
use crate::edits::{self, Answer, Estimate, GenerationView, ReadOnce, Submission, view};
use crate::error::{ApiError, ApiResult, Code};
use crate::http::rates;
use crate::previews::{Viewer, small_copy};
use crate::uploads;

/// How many times the bytes of a file an answer takes that contains it: the file, its base64, and the
/// text of the answer.
const FULL_TIMES: u64 = 4;

#[derive(Deserialize)]
struct ByUuid {
    uuid: String,
}

#[derive(Deserialize)]
struct OfKind {
    #[serde(default)]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct OneImage {
    image: String,
}

#[derive(Serialize)]
struct Estimated {
    cost: i64,
    available: i64,
    provider: String,
    plan: Option<Value>,
    warnings: Vec<Warning>,
}

#[derive(Serialize)]
struct Models {
    data: Vec<catalogue::ModelView>,
}

impl Desk {
    /// Does what `tool` does.
    pub(super) async fn carry_out(
        self,
        tool: Tool,
        given: JsonObject,
    ) -> ApiResult<CallToolResult> {
        match tool {
            Tool::EditImage => self.make(Kind::ImageEdit, given).await,
            Tool::GenerateImage => self.make(Kind::TextToImage, given).await,
            Tool::PlanEdit => self.plan(given).await,
            Tool::EstimateCost => self.estimate(given).await,
            Tool::GetGeneration => {
                let ByUuid { uuid } = read(given)?;
                let generation = self.generation(&uuid).await?;
                self.show(generation, false, false).await
            }
            Tool::ListModels => list_models(&self.app, given),
            Tool::GetBalance => self.balance().await,
            Tool::UploadImage => self.upload(given).await,
        }
    }

    /// Makes an image, which is charged, and answers with it.
    async fn make(&self, kind: Kind, given: JsonObject) -> ApiResult<CallToolResult> {
        let (app, caller) = (&self.app, self.caller());
        caller.require(Scope::Edit)?;
        rates::count(app, &self.incoming.parts, caller).await?;
        match self.submit(kind, given).await {
            Ok((Answer { finished, replayed }, full)) => {
                self.show(finished.generation, replayed, full).await
            }
            Err(error) => {
                rates::count_failure(app, caller, &error).await;
                Err(error)
            }
        }
    }

    /// The answer of the API, and whether to show the full image.
    async fn submit(&self, kind: Kind, given: JsonObject) -> ApiResult<(Answer, bool)> {
        let Asked { body, idempotency_key, full_image } = arguments::asked(&self.app, given)?;
        let taken = self.incoming.take_memory();
        let memory = taken.ok_or_else(|| ApiError::internal("a message with two calls"))?;
        memory.keep(body.len() as u64);
        let (body, supplement) = (body.into(), Supplement::default());
        let read_once = ReadOnce::default();
        let submission = Submission { kind, body, supplement, idempotency_key, memory, read_once };
        Ok((edits::submit(&self.app, self.caller(), submission).await?, full_image))
    }

    /// Says what the built-in editor would do.
    async fn plan(&self, given: JsonObject) -> ApiResult<CallToolResult> {
        self.caller().require(Scope::Edit)?;
        let body = serde_json::to_vec(&given).map_err(ApiError::internal)?;
        let account = self.caller().account.id.clone();
        let viewer = Viewer { account: Some(account.clone()), whose: account };
        let view = plan::plan(&self.app, &viewer, body.into()).await?;
        data(answer::planned(&view), &view)
    }

    /// Says what a call would cost.
    async fn estimate(&self, given: JsonObject) -> ApiResult<CallToolResult> {
        let caller = self.caller();
        caller.require(Scope::Edit)?;
        let Asked { body, .. } = arguments::asked(&self.app, given)?;
        let account = &caller.account.id;
        let Estimate { cost, provider, plan, warnings } =
            edits::estimate(&self.app, account, body.into()).await?;
        let available = self.app.store.balance(account).await?.available.get();
        let cost = cost.get();
        let text = format!("It would cost {cost} credits of {available}, by {provider}.");
        data(text, &Estimated { cost, available, provider, plan, warnings })
    }

    async fn balance(&self) -> ApiResult<CallToolResult> {
        self.caller().require_any([Scope::Edit, Scope::Read])?;
        let balance = credits::balance(&self.app, &self.caller().account.id).await?;
        data(format!("{} credits left, {} reserved.", balance.available, balance.held), &balance)
    }

    /// Stores an image for later calls.
    async fn upload(&self, given: JsonObject) -> ApiResult<CallToolResult> {
        let caller = self.caller();
        caller.require(Scope::Edit)?;
        self.app.throttles.upload(&caller.account.id).await?;
        let OneImage { image } = read(given)?;
        let file = decoded(&image)?;
        drop(image);
        let upload = uploads::create(&self.app, &caller.account.id, file).await?;
        let view = uploaded::view(&self.app, &upload);
        let text = format!(
            "Uploaded as {} ({}x{} pixels). Pass this id in `images`. It expires at {}.",
            view.id, view.width, view.height, view.expires_at
        );
        data(text, &view)
    }

    /// The generation that `uuid` names, if the caller may see it.
    pub(super) async fn generation(&self, uuid: &str) -> ApiResult<GenerationView> {
        let caller = self.caller();
        let record =
            generations::find(&self.app, &caller.account, caller.sees_only()?, uuid).await?;
        view(&self.app, record)
    }

    /// A generation with the credits that are left, and with its image: the full one, if it is asked
    /// for and there is memory, or else a small copy.
    async fn show(
        &self,
        generation: GenerationView,
        replayed: bool,
        full: bool,
    ) -> ApiResult<CallToolResult> {
        let available = self.app.store.balance(&self.caller().account.id).await?.available.get();
        let image = match stored(&self.app, &generation) {
            Some(name) if full => self.whole(&name).await?,
            Some(name) => small_copy(&self.app, &name, PREVIEW).await?,
            None => None,
        };
        Shown { generation, available, replayed, image }.into_result()
    }

    /// The stored image `name`.
    async fn whole(&self, name: &str) -> ApiResult<Option<Bytes>> {
        let Some(blob) = self.app.store.blobs().read(name).await? else { return Ok(None) };
        if !self.incoming.reply.take(FULL_TIMES.saturating_mul(blob.bytes)) {
            return small_copy(&self.app, name, PREVIEW).await;
        }
        self.app.stored(name).await
    }

    fn caller(&self) -> &Caller {
        &self.incoming.caller
    }
}

fn list_models(app: &App, given: JsonObject) -> ApiResult<CallToolResult> {
    let OfKind { kind } = read(given)?;
    let unknown = || {
        let message = "`kind` must be image_edit, text_to_image or video.";
        ApiError::about(Code::InvalidValue, "kind", message)
    };
    let kind = kind.map(|name| Kind::parse(&name).ok_or_else(unknown)).transpose()?;
    let models = Models { data: catalogue::model_views(app, kind) };
    let line = |model: &catalogue::ModelView| {
        let most = model.max_input_images;
        format!("{}: {}, {} credits, up to {most} images", model.id, model.label, model.credits)
    };
    data(models.data.iter().map(line).collect::<Vec<_>>().join("\n"), &models)
}

/// The name of the stored image of `generation`.
fn stored(app: &App, generation: &GenerationView) -> Option<String> {
    let has_file = generation.expired_at.is_none();
    let url = generation.stored_images.first().filter(|_| has_file)?;
    url.strip_prefix(&app.file_url("")).map(ToOwned::to_owned)
}

/// The file in a `data:` URI or in base64.
fn decoded(image: &str) -> ApiResult<Bytes> {
    let text = match image.strip_prefix("data:").and_then(|rest| rest.split_once(',')) {
        Some((head, text)) if head.ends_with(";base64") => text,
        Some(_) => "",
        None => image,
    };
    let file = forgiving_decode_to_vec(text.as_bytes()).ok().filter(|file| !file.is_empty());
    file.map(Bytes::from).ok_or_else(|| {
        let message = "`image` is neither a data: URI in base64 nor a file in base64. Images at an \
                       address need no upload: pass the address in `images` of edit_image.";
        ApiError::about(Code::InvalidValue, "image", message)
    })
}
