//! `retouch config`: checks and shows the settings.

use retouch_core::catalogue::Catalogue;
use retouch_core::{Clock, SystemClock};
use retouch_providers::kinds;
use retouch_store::Database;
use serde_json::json;

use super::answer::{Answer, Failure};
use super::providers::InUse;
use crate::app::fonts;
use crate::config::{Problem, Settings, ShownSetting, Sources};
use crate::serving;

/// Lists everything that is wrong with the settings, including the catalogue and the files of
/// providers.
pub(super) fn check(sources: &Sources) -> Answer {
    let mut notes = Vec::new();
    let (problems, text) = match Settings::load(sources) {
        Err(error) => (error.problems(), format!("{error}\n")),
        Ok(settings) => {
            let in_use = InUse::read(sources, &settings);
            notes.extend(in_use.notes());
            let problems = problems_outside(&settings, &in_use, &mut notes);
            let text: String = problems.iter().map(|problem| format!("{problem}\n")).collect();
            (problems, text)
        }
    };
    let is_wrong = !problems.is_empty();
    let text = if is_wrong { text } else { "The settings are valid.\n".to_owned() };
    let json = json!({ "ok": !is_wrong, "problems": problems, "notes": notes });
    let answer = Answer::new(text, json).failing_when(is_wrong);
    notes.into_iter().fold(answer, Answer::note)
}

/// What is wrong with the files named in the settings. Adds to `notes` what may be intentional.
fn problems_outside(settings: &Settings, in_use: &InUse, notes: &mut Vec<String>) -> Vec<Problem> {
    let problem = |key: String, message: String| Problem { key, message, origin: None };
    let mut problems = Vec::new();
    notes.extend(database_in_the_clear(settings));
    match settings.catalogue.load() {
        Ok(catalogue) => {
            notes.extend(strange_routes(in_use, &catalogue));
            notes.extend(serving::concerns(&catalogue, &in_use.providers, SystemClock.now()));
        }
        Err(error) => problems.push(problem("catalogue.file".into(), error.to_string())),
    }
    if let Err(unusable) = fonts::add(&settings.edits.fonts) {
        problems.push(problem("edits.fonts".into(), unusable.to_string()));
    }
    for (name, provider) in &in_use.providers {
        if provider.shows_its_key() {
            let message = "sends the API key unencrypted to another machine; use https:// unless \
                           you control the whole network";
            notes.push(format!("providers.{name}.base_url: {message}"));
        }
        if let Err(unusable) = provider.dialect(name) {
            problems.push(problem(format!("providers.{name}"), unusable.reason));
        }
    }
    problems
}

/// A warning about an unencrypted connection to a database on another machine.
fn database_in_the_clear(settings: &Settings) -> Option<String> {
    match &settings.store.database {
        Database::Server(address) if address.is_in_the_clear() => Some(format!(
            "store.database_url: the connection to {address} is not encrypted; add \
             sslmode=require unless you control the whole network"
        )),
        _ => None,
    }
}

/// Routes to unknown providers: perhaps misspelled, perhaps not configured yet.
fn strange_routes(in_use: &InUse, catalogue: &Catalogue) -> Vec<String> {
    let routes = catalogue.models.iter().flat_map(|model| {
        model.routes.iter().map(|route| (model.id.as_str(), route.provider.as_str()))
    });
    let strange = routes.filter(|(_, provider)| {
        kinds::find(provider).is_none() && !in_use.providers.contains_key(*provider)
    });
    strange
        .map(|(model, provider)| {
            format!("{model} has a route to {provider}, which is not a known provider")
        })
        .collect()
}

/// Shows every setting and where it was set.
pub(super) fn show(sources: &Sources) -> Result<Answer, Failure> {
    let shown = Settings::load(sources)?.show();
    Ok(Answer::new(text(&shown), json!({ "data": shown })))
}

/// The settings in the format of a settings file, each with its origin as a comment.
fn text(shown: &[ShownSetting]) -> String {
    let mut text = String::new();
    let mut current = "";
    for setting in shown {
        let (section, key) = setting.key.rsplit_once('.').unwrap_or(("", &setting.key));
        if section != current {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}[{section}]\n"));
            current = section;
        }
        text.push_str(&format!("{key} = {}  # {}\n", setting.value, setting.origin));
    }
    text
}
