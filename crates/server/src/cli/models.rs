//! `retouch models`: what is for sale.

use retouch_core::catalogue::Model;
use retouch_core::{Credits, Kind};
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::table::table;
use crate::config::{Settings, Sources};

/// Lists the models of the catalogue in use.
pub(super) fn list(sources: &Sources) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    let catalogue = settings.catalogue.load().map_err(Failure::failed)?;
    let rows: Vec<[String; 4]> = catalogue.models.iter().map(|model| row(model)).collect();
    let values: Vec<Value> = catalogue.models.iter().map(|model| model_json(model)).collect();
    let text = table(["MODEL", "CREDITS", "PICTURES", "ASPECT RATIOS"], &rows);
    Ok(Answer::new(text, json!({ "data": values })))
}

fn row(model: &Model) -> [String; 4] {
    let others = model.quality_credits.values().filter(|price| **price != model.credits);
    let mut prices: Vec<i64> = others.copied().chain([model.credits]).map(Credits::get).collect();
    prices.sort_unstable();
    prices.dedup();
    let prices: Vec<String> = prices.iter().map(i64::to_string).collect();
    let ratios = match model.ratio_names() {
        names if names.is_empty() => "as the provider decides".to_owned(),
        names => names,
    };
    [model.id.clone(), prices.join(" or "), pictures(model), ratios]
}

/// How many pictures a request may have.
fn pictures(model: &Model) -> String {
    let most = model.max_input_images;
    match (model.does(Kind::ImageEdit), most) {
        (true, _) => format!("1 to {most}"),
        (false, 0) => "none".to_owned(),
        (false, _) => format!("0 to {most}"),
    }
}

fn model_json(model: &Model) -> Value {
    json!({
        "id": model.id, "label": model.label, "aliases": model.aliases, "kinds": model.kinds,
        "max_input_images": model.max_input_images, "outputs_per_call": model.outputs_per_call,
        "aspect_ratios": model.aspect_ratios, "credits": model.credits,
        "quality_credits": model.quality_credits, "durations_seconds": model.durations_seconds,
    })
}
