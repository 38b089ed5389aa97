//! `retouch config`: whether the settings are right, and what they are.

use serde_json::json;

use super::answer::{Answer, Failure};
use crate::config::{Problem, Settings, ShownSetting, Sources};

/// Says everything that is wrong with the settings, the catalogue included.
pub(super) fn check(sources: &Sources) -> Answer {
    let (problems, text) = match Settings::load(sources) {
        Err(error) => (error.problems(), format!("{error}\n")),
        Ok(settings) => match settings.catalogue.load() {
            Ok(_) => (Vec::new(), "The settings are right.\n".to_owned()),
            Err(error) => {
                let key = "catalogue.file".to_owned();
                let problem = Problem { key, message: error.to_string(), origin: None };
                let text = format!("{problem}\n");
                (vec![problem], text)
            }
        },
    };
    let is_wrong = !problems.is_empty();
    Answer::new(text, json!({ "ok": !is_wrong, "problems": problems })).failing_when(is_wrong)
}

/// Shows every setting and where it was set.
pub(super) fn show(sources: &Sources) -> Result<Answer, Failure> {
    let shown = Settings::load(sources)?.show();
    Ok(Answer::new(text(&shown), json!({ "data": shown })))
}

/// The settings in the form of a file of settings, each with its origin as a comment.
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
