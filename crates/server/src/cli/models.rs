//! `retouch models`: the models, their providers, costs and margins.

use std::collections::BTreeMap;

use retouch_core::catalogue::{Catalogue, Model};
use retouch_core::{Credits, Kind};
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::providers::InUse;
use super::table::table;
use crate::api::catalogue;
use crate::config::{ProviderSettings, Settings, Sources};
use crate::serving;

/// Providers, by name.
type Providers = BTreeMap<String, ProviderSettings>;

/// The column headings.
const HEADS: [&str; 7] =
    ["MODEL", "CREDITS", "IMAGES", "ASPECT RATIOS", "PROVIDERS", "COST", "MARGIN"];

/// Lists the models in the catalogue.
pub(super) fn list(sources: &Sources) -> Result<Answer, Failure> {
    let settings = Settings::load(sources)?;
    let catalogue = settings.catalogue.load().map_err(Failure::failed)?;
    let in_use = InUse::read(sources, &settings);
    let providers = &in_use.providers;
    let rows: Vec<[String; 7]> =
        catalogue.models.iter().map(|model| row(model, providers, &catalogue)).collect();
    let values = catalogue.models.iter().map(|model| model_json(model, providers, &catalogue));
    let values: Vec<Value> = values.collect();
    let losses = catalogue.losses();
    let lost: String = losses.iter().map(|loss| format!("\n{loss}\n")).collect();
    let text = table(HEADS, &rows) + note(&rows) + &lost;
    let answer = Answer::new(text, json!({ "data": values }));
    Ok(in_use.notes().into_iter().fold(answer, Answer::note))
}

/// Explains cost and margin, if any are shown.
fn note(rows: &[[String; 7]]) -> &'static str {
    if rows.iter().all(|[.., cost, _]| !cost.starts_with('$')) {
        return "";
    }
    "\nCOST is the first provider's price for one result, from the catalogue. MARGIN is what \
     remains of\nthe price of the credits in the plan where credits are cheapest.\n"
}

fn row(model: &Model, providers: &Providers, catalogue: &Catalogue) -> [String; 7] {
    let mut prices: Vec<i64> =
        model.offers().into_iter().map(|(_, price)| Credits::get(price)).collect();
    prices.sort_unstable();
    prices.dedup();
    let prices: Vec<String> = prices.iter().map(i64::to_string).collect();
    let ratios = match model.ratio_names() {
        names if names.is_empty() => "provider's choice".to_owned(),
        names => names,
    };
    let [served_by, cost, margin] = serving::cells(model, providers, catalogue);
    let (id, prices, pictures) = (model.id.clone(), prices.join(" or "), pictures(model));
    [id, prices, pictures, ratios, served_by, cost, margin]
}

/// How many images a request may have.
fn pictures(model: &Model) -> String {
    let most = model.max_input_images;
    match (model.does(Kind::ImageEdit), most) {
        (true, _) => format!("1 to {most}"),
        (false, 0) => "none".to_owned(),
        (false, _) => format!("0 to {most}"),
    }
}

fn model_json(model: &Model, providers: &Providers, all: &Catalogue) -> Value {
    json!({
        "id": model.id, "label": model.label, "aliases": model.aliases, "kinds": model.kinds,
        "max_input_images": model.max_input_images, "outputs_per_call": model.outputs_per_call,
        "aspect_ratios": model.aspect_ratios, "credits": model.credits,
        "quality_credits": model.quality_credits(),
        "durations_seconds": model.durations_seconds(),
        "tiers": catalogue::tiers(model.offers()),
        "providers": serving::names(model, providers),
        "routes": serving::routes(model, providers, all),
    })
}
