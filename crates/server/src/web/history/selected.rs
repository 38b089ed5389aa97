//! What the history does with several generations at once: download, star, delete.

use std::sync::Arc;

use axum::extract::{Request, State};
use retouch_core::EditId;
use retouch_store::EditChange;

use crate::api::generations;
use crate::api::generations::zip::{self, FILES_MAX};
use crate::app::App;
use crate::edits;
use crate::error::{ApiError, ApiResult, Code};
use crate::web::form::{self, Form};
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};
use crate::web::{html, local};

/// The selected generations, and what to do with them. A button at a single one names it itself.
pub(in crate::web) async fn act(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, account) = Shell::for_member(&app, &form.parts, Here::History).await?;
    let back = form.filled("back").map_or_else(|| "/history".to_owned(), |it| local::path(&it));
    let star = |edits: Vec<EditId>, is_starred| {
        let change = EditChange { edits, is_starred: Some(is_starred), name: None };
        app.store.change_edits(&account.id, None, change)
    };
    for (field, is_starred) in [("star", true), ("unstar", false)] {
        if let Some(uuid) = form.filled(field) {
            star(vec![generations::id(&uuid)?], is_starred).await?;
            return Ok(html::see_other(&back)?);
        }
    }
    let names = chosen(&form)?;
    match form.text("act") {
        "zip" => return Ok(zip::zip(&app, &account.id, None, names).await?),
        "star" => drop(star(names, true).await?),
        "unstar" => drop(star(names, false).await?),
        "delete" => {
            let gone = app.store.delete_edits(&account.id, names).await?;
            edits::begin_removal(&app);
            let path = form::with_field(&back, "deleted", &gone.to_string());
            return Ok(html::see_other(&path)?);
        }
        _ => return Err(ApiError::new(Code::InvalidValue, "Choose what to do.").into()),
    }
    Ok(html::see_other(&back)?)
}

/// The selected generations.
fn chosen(form: &Form) -> ApiResult<Vec<EditId>> {
    let names: ApiResult<Vec<EditId>> = form.all("uuid").map(generations::id).collect();
    let names = names?;
    if (1..=FILES_MAX).contains(&names.len()) {
        return Ok(names);
    }
    let message = match names.len() {
        0 => "Select at least one image first.".to_owned(),
        count => format!("You selected {count}; the limit is {FILES_MAX} at a time."),
    };
    Err(ApiError::new(Code::InvalidValue, message))
}
