//! `POST /admin/settings/logo`: replaces the logo. It is decoded and encoded again, so that nothing
//! but pixels reaches other users.

use std::sync::Arc;

use axum::extract::{Request, State};
use bytes::Bytes;
use retouch_engine::codec::{self, FitRules, Format};
use retouch_providers::ProviderError;
use retouch_store::Logo;

use super::deed;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::intake;
use crate::web::form::Form;
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

/// Largest file that is accepted, in bytes.
pub(super) const FILE_BYTES_MAX: usize = 2 << 20;
/// Largest logo that is kept, in bytes: more than the pixels have. Every node keeps it in memory.
const LOGO_BYTES_MAX: usize = 512 * 1024;
/// The longest side of the logo, in pixels: twice its size in the header.
const SIDE_PX_MAX: u32 = 320;
/// The largest image that is decoded, in pixels.
const PIXELS_MAX: u64 = 16_000_000;

pub(super) async fn put(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let received = intake::receive_form_file(&app, request, "logo", FILE_BYTES_MAX).await?;
    if received.body.is_empty() {
        return Err(ApiError::new(Code::InvalidValue, "Choose a file.").into());
    }
    let (_, own) = Shell::for_member(&app, &received.parts, Here::Administration).await?;
    let logo = made(&app, received.body).await?;
    app.store.set_logo(Some(logo), deed(&own, "Logo replaced".to_owned())).await?;
    app.refresh().await?;
    Ok(html::see_other("/admin/settings?done=logo")?)
}

pub(super) async fn remove(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    app.store.set_logo(None, deed(&own, "Logo removed".to_owned())).await?;
    app.refresh().await?;
    Ok(html::see_other("/admin/settings?done=logo-removed")?)
}

/// The logo in `file`, scaled down.
async fn made(app: &App, file: Bytes) -> ApiResult<Logo> {
    let rules = FitRules {
        formats: &[Format::Png],
        bytes_max: LOGO_BYTES_MAX,
        side_px_min: 1,
        side_px_max: SIDE_PX_MAX,
        pixels_max: u64::from(SIDE_PX_MAX) * u64::from(SIDE_PX_MAX),
    };
    let limits = codec::Limits {
        bytes_max: FILE_BYTES_MAX,
        pixels_max: PIXELS_MAX,
        ..codec::Limits::default()
    };
    let unusable = || {
        let message = "We can’t read this file. Use a PNG, JPEG or WebP image of at most 2 MB.";
        ApiError::about(Code::InvalidValue, "logo", message)
    };
    let header = codec::probe(&file, &limits).map_err(|_| unusable())?;
    let bytes = codec::fit_bytes(&header, &rules) + codec::encode_png_bytes(header.size());
    let admitted = app.workshop.admit(bytes).await;
    let permit = admitted.map_err(ProviderError::from)?;
    let work = permit.run(move || {
        // Decoded even if it already fits, so that nothing but its pixels is kept.
        let pixels = codec::decode(&file, &limits).ok()?;
        let plain = codec::encode_png(&pixels).ok()?;
        let fitted = codec::fit(&plain, &codec::Limits { bytes_max: usize::MAX, ..limits }, &rules);
        Some(fitted.ok()?.map_or(plain, |fitted| fitted.bytes))
    });
    let bytes = work.await.map_err(ApiError::internal)?.ok_or_else(unusable)?;
    if Format::of(&bytes) != Some(Format::Png) || bytes.len() > LOGO_BYTES_MAX {
        return Err(unusable());
    }
    Ok(Logo { media: "image/png".to_owned(), bytes })
}
