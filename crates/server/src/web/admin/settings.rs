//! `/admin/settings`: the settings that can be changed here, and the value and source of every
//! setting. Secrets are hidden by their type.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_store::Account;

use super::{Tab, deed};
use crate::app::App;
use crate::config::{Color, LIVE_KEYS, LiveField, ShownSetting, StoredSettings};
use crate::error::{ApiError, ApiResult, Code};
use crate::web::brand::{self, Shade};
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::{Mistake, PageResult, status_of_mistake};
use crate::web::shell::{Here, Shell};

/// Who can sign up: values and labels.
const RULES: [(&str, &str); 4] = [
    ("open", "Everyone"),
    ("invited", "People with an invitation"),
    ("domains", "People at these email domains, or with an invitation"),
    ("closed", "No one"),
];

/// How a setting is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Text,
    Rule,
}

/// A setting as the form shows it.
struct Field {
    /// The name in the form, which is the setting with `-` for `.`.
    id: String,
    label: &'static str,
    hint: &'static str,
    input: Input,
    field: LiveField,
}

#[derive(Template)]
#[template(path = "web/admin/settings.html")]
struct SettingsPage {
    shell: Shell,
    tab: Tab,
    site: Vec<Field>,
    sign_up: Vec<Field>,
    /// The shades of the main color in the light and the dark theme.
    shades: Option<[Shade; 2]>,
    has_logo: bool,
    problems: Vec<String>,
    done: &'static str,
    mistake: Mistake,
    settings: Vec<ShownSetting>,
}

pub(super) async fn settings(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let done = match form::query(&parts, "done").as_deref() {
        Some("saved") => "Settings saved.",
        Some("same") => "Nothing was changed.",
        Some("logo") => "Logo saved.",
        Some("logo-removed") => "Logo removed.",
        _ => "",
    };
    let page = page(&app, shell, &app.live().stored);
    Ok(html::page(&SettingsPage { done, ..page })?)
}

/// Changes the settings of the form.
pub(super) async fn change(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    match save(&app, &form, &own).await {
        Ok(0) => Ok(html::see_other("/admin/settings?done=same")?),
        Ok(_) => Ok(html::see_other("/admin/settings?done=saved")?),
        Err(error) => again(&app, shell, &form, &error),
    }
}

/// The page again, with what was typed and what is wrong with it.
fn again(app: &App, shell: Shell, form: &Form, error: &ApiError) -> PageResult {
    let status = status_of_mistake(error)?;
    let typed = LIVE_KEYS.into_iter().map(|key| (key.to_owned(), form.text(&id(key)).to_owned()));
    let mut page = page(app, shell, &app.live().stored);
    let typed: StoredSettings = typed.collect();
    for field in page.site.iter_mut().chain(&mut page.sign_up) {
        if let (None, Some(text)) = (&field.field.fixed_by, typed.get(field.field.key)) {
            field.field.value.clone_from(text);
        }
    }
    Ok(html::page_with(status, &SettingsPage { mistake: Mistake::of(error), ..page })?)
}

/// Saves the form, and returns how many settings changed.
async fn save(app: &App, form: &Form, own: &Account) -> ApiResult<usize> {
    let live = app.live();
    let defaults = app.settings.live_fields(&StoredSettings::new());
    let mut stored = live.stored.clone();
    let mut changes = Vec::new();
    for default in defaults.iter().filter(|field| field.fixed_by.is_none()) {
        // A form of another version may lack a field, which then stays as it is.
        let Some(text) = form.sent(&id(default.key)) else { continue };
        let text = text.trim();
        let value = Some(text.to_owned()).filter(|text| *text != default.value);
        match &value {
            Some(value) => stored.insert(default.key.to_owned(), value.clone()),
            None => stored.remove(default.key),
        };
        changes.push((default.key.to_owned(), value));
    }
    app.settings.live(&stored).map_err(|problems| {
        let first = problems.into_iter().next();
        let (key, message) = first.map_or_else(Default::default, |it| (it.key, it.message));
        ApiError::about(Code::InvalidValue, &id(&key), format!("{}.", sentence(&message)))
    })?;
    let changed = app.store.change_settings(changes, deed(own, String::new())).await?;
    app.refresh().await?;
    Ok(changed)
}

/// A message about a value, with a capital letter.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

fn id(key: &str) -> String {
    key.replace(['.', '_'], "-")
}

fn page(app: &App, shell: Shell, stored: &StoredSettings) -> SettingsPage {
    let live = app.live();
    let fields = app.settings.live_fields(stored).into_iter().map(field);
    let (site, sign_up) = fields.partition(|field| field.field.key.starts_with("site."));
    SettingsPage {
        shell,
        tab: Tab::Settings,
        site,
        sign_up,
        shades: live.site().color.map(|Color(color)| brand::shades(color)),
        has_logo: live.logo.is_some(),
        problems: live.problems.clone(),
        done: "",
        mistake: Mistake::default(),
        settings: app.settings.show(),
    }
}

fn field(field: LiveField) -> Field {
    let (label, hint) = match field.key {
        "site.name" => ("Name", "In the header, in page titles and in emails"),
        "site.color" => ("Main color", "Such as #05617f. Empty: the blue of Retouch"),
        "site.footer" => ("Footer", "A line of text at the end of each page"),
        "site.terms_url" => ("Terms of service", "A web address"),
        "site.privacy_url" => ("Privacy policy", "A web address"),
        "site.contact" => ("Contact", "An email address or a web address"),
        "site.announcement" => ("Announcement", "On top of each page, until you remove it"),
        "auth.sign_up" => ("Who can sign up", ""),
        "auth.sign_up_domains" => {
            ("Email domains", "Separated by commas, such as example.com. Subdomains don’t count")
        }
        "auth.sign_up_credits" => {
            ("Free credits of a new account", "Empty: as in the model catalog")
        }
        "auth.free_credits_per_day_max" => {
            ("Free credits per day", "For all new accounts together. 0: none")
        }
        _ => (
            "Keep results for",
            "For accounts without a plan: whole days such as 30 d, or forever. Empty: as in the \
             model catalog. Shortening this deletes older results",
        ),
    };
    let input = if field.key == "auth.sign_up" { Input::Rule } else { Input::Text };
    Field { id: id(field.key), label, hint, input, field }
}
