//! Previews of the built-in editor: unstored and uncharged, on reduced copies of the images. Copies
//! of stored images stay in memory for a while, because the same image is previewed with each
//! keystroke.

mod small;

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::AccountId;
use retouch_core::edit::{Body, Edit, Origin, PictureSource, PreviewRequest};
use retouch_outbound::stock::Allowance;
use retouch_providers::built_in::preview::{Asked, Preview, Previewer, REDUCED_BYTES_MAX, Reduced};
use retouch_providers::inputs::{InputReader, StoredImage};
use retouch_providers::recent::Recent;
use retouch_providers::turns::{NoRoom, Room, Turn, Turns};
use retouch_providers::workshop::Workshop;
use retouch_providers::{ProviderError, built_in};
use tokio::sync::Semaphore;

pub(crate) use self::small::{Small, small_copy, stored_copy};
use crate::app::App;
use crate::config::Settings;
use crate::edits::request_limits;
use crate::error::{ApiError, ApiResult, Code, overloaded};
use crate::http::bodies::{ANSWER_BYTES, BodyMemory};

/// How many previews may wait for their turn. Clients cancel a preview that is out of date, so few
/// are waiting usually.
const ROOM: Room = Room { all_max: 512, per_account_max: 32 };

/// What previews need.
pub struct Previews {
    previewer: Previewer,
    cache: Recent<String, Reduced>,
    turns: Turns,
    /// Reduces new uploads one at a time, so that this never keeps a preview waiting.
    ahead: Arc<Semaphore>,
}

impl Previews {
    /// Previews in `workshop`, within the limits of the settings.
    pub fn new(settings: &Settings, workshop: Workshop) -> Self {
        let images_max = settings.studio.preview_bytes_max / REDUCED_BYTES_MAX;
        Self {
            previewer: Previewer::new(workshop),
            cache: Recent::new(usize::try_from(images_max).unwrap_or(usize::MAX)),
            turns: Turns::new(settings.edits.built_in_turns()),
            ahead: Arc::new(Semaphore::new(1)),
        }
    }

    /// Waits for a turn of `whose` to work on an image for free.
    ///
    /// # Errors
    /// Immediately, when there is no room to wait.
    pub async fn turn(&self, whose: &AccountId, room: Room) -> Result<Turn, NoRoom> {
        self.turns.take(whose, room).await
    }
}

/// Who asks for a preview.
pub struct Viewer {
    /// The account; none for a visitor.
    pub account: Option<AccountId>,
    /// Whose turn it is: the account, or the client address of a visitor.
    pub whose: AccountId,
}

/// Makes the preview that `body` asks for.
///
/// # Errors
/// 400 as for an edit, 429 and 503 if too much is waiting.
pub async fn preview(
    app: &Arc<App>,
    viewer: &Viewer,
    body: Bytes,
    memory: &BodyMemory,
) -> ApiResult<Preview> {
    let held_bytes = body.len() as u64 + ANSWER_BYTES;
    memory.cover(held_bytes)?;
    let reading = app.reading(&viewer.whose, body.len(), move |app| {
        let mut request =
            app.catalogue.accept_preview(&Body::parse(&body)?, request_limits(app))?;
        recall(app, &mut request.edit);
        let asked = Asked::read(&mut request.edit)?;
        Ok((request, asked))
    });
    let (request, asked) = reading.await?;
    let turn = app.previews.turn(&viewer.whose, ROOM).await;
    let _turn = turn.map_err(|_full| overloaded())?;
    let mut inputs = Vec::new();
    for picture in &request.edit.pictures {
        inputs.push(input(app, viewer, picture, memory).await?);
        memory.keep(held_bytes);
    }
    let inputs = at_sizes(inputs, &request)?;
    let previewer = &app.previews.previewer;
    Ok(previewer.preview(asked, inputs, request.side_px_max).await?)
}

/// Lets an instruction mean what a language model has found it to mean. A preview never asks the
/// model, because there may be one for each letter that a user types, and for visitors too.
fn recall(app: &App, edit: &mut Edit) {
    let asked = app.reader.as_ref().and_then(|_| built_in::asked(edit));
    let read = asked.and_then(|asked| app.recall_reading(&asked));
    edit.rewording = read.and_then(Result::ok).map(Arc::new);
}

/// Reduces an image that has just been uploaded, so that its first preview is fast too. Does nothing
/// if another upload is being reduced.
pub fn prepare(app: &Arc<App>, name: String, file: Bytes, memory: BodyMemory) {
    let Ok(permit) = Arc::clone(&app.previews.ahead).try_acquire_owned() else { return };
    let task_app = Arc::clone(app);
    app.tasks.spawn(async move {
        let _held = (permit, memory);
        let cell = task_app.previews.cache.cell(name);
        let reduced = cell.get_or_try_init(|| async {
            let named =
                PictureSource { param: "file".into(), origin: Origin::Inline(file.clone()) };
            reduce(&task_app, &named, StoredImage { bytes: file.clone(), is_result: false }).await
        });
        // The first preview will say what is wrong with it.
        drop(reduced.await);
    });
}

/// The reduced copy of an input.
async fn input(
    app: &Arc<App>,
    viewer: &Viewer,
    named: &PictureSource,
    memory: &BodyMemory,
) -> ApiResult<Reduced> {
    let url = match &named.origin {
        Origin::Inline(bytes) => {
            let file = StoredImage { bytes: bytes.clone(), is_result: false };
            return Ok(reduce(app, named, file).await?);
        }
        Origin::Address(url) => url,
    };
    let Some(found) = app.stored_image(viewer.account.as_ref(), url).await else {
        let message = "A preview does not download images. Send the image itself, or upload it \
                       with POST /api/uploads and send its `url`.";
        return Err(ApiError::about(Code::ImageFetchFailed, &named.param, message));
    };
    let found = found.map_err(|why| InputReader::not_taken(why, named))?;
    let cell = app.previews.cache.cell(found.name.clone());
    let reduced = cell.get_or_try_init(|| async {
        if !memory.take(found.blob.bytes) {
            return Err(memory.refused().map_or_else(overloaded, Into::into));
        }
        let bytes = found.blob.into_bytes().await?;
        let file = StoredImage { bytes, is_result: found.is_result };
        Ok::<_, ApiError>(reduce(app, named, file).await?)
    });
    reduced.await.cloned()
}

async fn reduce(
    app: &App,
    named: &PictureSource,
    file: StoredImage,
) -> Result<Reduced, ProviderError> {
    let source = app.inputs.inspect(file, named)?;
    app.previews.previewer.reduce(&source).await
}

/// The inputs as copies of images with the sizes that the caller says.
fn at_sizes(inputs: Vec<Reduced>, request: &PreviewRequest) -> ApiResult<Vec<Reduced>> {
    if request.input_sizes.is_empty() {
        return Ok(inputs);
    }
    let sized = inputs.iter().zip(&request.input_sizes).map(|(input, size)| input.of_size(*size));
    sized.collect::<Option<_>>().ok_or_else(|| {
        let message = "`input_sizes` must have the shape of the images, and be at least as large.";
        ApiError::about(Code::InvalidValue, "input_sizes", message)
    })
}
