//! `/admin/providers`: adding providers with their API keys, testing and switching them. Providers
//! of the settings file and the environment are shown, but can't be changed here.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_core::catalogue::MicroDollars;
use retouch_providers::kinds::{self, Key, OwnSetting, ProviderKind};
use retouch_store::{Account, StoredProvider};

use super::{Tab, asked, deed, models};
use crate::api::path::Named;
use crate::app::{App, Live, upstreams};
use crate::config::{ProviderSettings, Secret};
use crate::error::{ApiError, ApiResult, Code};
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::{Mistake, PageResult, status_of_mistake};
use crate::web::shell::{Here, Shell};

const PATH: &str = "/admin/providers";
/// The settings besides the kind and the API key that the form has.
const SETTINGS: [&str; 3] = ["base_url", "api_version", "usd_per_day_max"];
/// How many characters of an API key are shown, to recognize it.
const KEY_END_CHARS: usize = 4;

/// A provider as the page shows it.
struct Row {
    name: String,
    label: &'static str,
    base_url: String,
    /// The end of its API key; empty for those of the file.
    key_end: String,
    /// `None`: set in the file or the environment.
    is_on: Option<bool>,
    problem: Option<String>,
    health: String,
    is_well: bool,
    limit: Option<String>,
    spent: Option<String>,
}

/// What was typed.
#[derive(Default)]
struct Typed {
    name: String,
    kind: String,
    base_url: String,
    api_version: String,
    usd_per_day_max: String,
    key_end: String,
    is_on: bool,
    /// Whether the provider exists already.
    is_old: bool,
}

#[derive(Template)]
#[template(path = "web/admin/providers.html")]
struct ProvidersPage {
    shell: Shell,
    tab: Tab,
    rows: Vec<Row>,
    kinds: Vec<&'static ProviderKind>,
    /// Whether a secret key is configured.
    may_add: bool,
    has_password: bool,
    typed: Typed,
    /// The provider that was tested, and the result.
    tested: Option<(String, Result<String, String>)>,
    done: &'static str,
    mistake: Mistake,
}

pub(super) async fn providers(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, own) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let done = match form::query(&parts, "done").as_deref() {
        Some("saved") => "Provider saved. It is used from now on if it is on.",
        Some("on") => "Provider switched on.",
        Some("off") => "Provider switched off. Edits in progress finish.",
        Some("removed") => "Provider removed.",
        _ => "",
    };
    let typed = Typed { is_on: true, ..Typed::default() };
    let page = page(&app, shell, &own, typed).await?;
    Ok(html::page(&ProvidersPage { done, ..page })?)
}

/// The page with the settings of one provider in the form.
pub(super) async fn one(
    State(app): State<Arc<App>>,
    Named(name): Named,
    parts: Parts,
) -> PageResult {
    let (shell, own) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let typed = Typed::of(&stored(&app.live(), &name)?);
    let page = page(&app, shell, &own, typed).await?;
    Ok(html::page(&page)?)
}

/// Adds or changes a provider.
pub(super) async fn put(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    match save(&app, &form, &own).await {
        Ok(()) => Ok(html::see_other("/admin/providers?done=saved")?),
        Err(error) => {
            let status = status_of_mistake(&error)?;
            let page = page(&app, shell, &own, Typed::from_form(&app.live(), &form)).await?;
            let mistake = Mistake::of(&error);
            Ok(html::page_with(status, &ProvidersPage { mistake, ..page })?)
        }
    }
}

/// Asks a provider whether it accepts the key, as `retouch doctor` does.
pub(super) async fn test(
    State(app): State<Arc<App>>,
    Named(name): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    let live = app.live();
    let added = live.added.iter().find(|one| one.stored.name == name);
    let settings = match added.map(|one| &one.state) {
        Some(state) => state.clone().map_err(|reason| reason.to_string()),
        None => {
            let fixed = app.settings.providers.get(&name).cloned();
            Ok(fixed.ok_or_else(|| ApiError::not_found("provider"))?)
        }
    };
    let result = match settings {
        Ok(settings) => probe(&app, &name, &settings).await,
        Err(problem) => Err(problem),
    };
    let typed = Typed { is_on: true, ..Typed::default() };
    let page = page(&app, shell, &own, typed).await?;
    Ok(html::page(&ProvidersPage { tested: Some((name, result)), ..page })?)
}

/// Switches a provider on or off.
pub(super) async fn switch(
    State(app): State<Arc<App>>,
    Named(name): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    let is_on = form.text("act") == "on";
    let changed = StoredProvider { is_on, ..stored(&app.live(), &name)? };
    let done = if is_on { "on" } else { "off" };
    app.store.put_provider(changed, deed(&own, format!("{name}: switched {done}"))).await?;
    app.refresh().await?;
    Ok(html::see_other(&format!("{PATH}?done={done}"))?)
}

/// Removes a provider with its API key.
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Named(name): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    app.store.remove_provider(&name, deed(&own, format!("{name}: removed"))).await?;
    app.refresh().await?;
    Ok(html::see_other("/admin/providers?done=removed")?)
}

async fn probe(app: &App, name: &str, settings: &ProviderSettings) -> Result<String, String> {
    let made = upstreams::one(name, settings, &app.settings, &app.shared);
    let made = made.map_err(|error| error.to_string())?;
    upstreams::probe(&made).await
}

async fn save(app: &App, form: &Form, own: &Account) -> ApiResult<()> {
    let text = |name: &str| form.text(name).trim().to_owned();
    let kind = text("kind");
    let name = Some(text("name")).filter(|name| !name.is_empty()).unwrap_or_else(|| kind.clone());
    let live = app.live();
    if app.providers.find(&name).is_some() && !live.added.iter().any(|it| it.stored.name == name) {
        let message = "The settings file or the environment has a provider with this name.";
        return Err(ApiError::about(Code::InvalidValue, "name", message));
    }
    let set = SETTINGS.into_iter().filter_map(|name| Some((name, form.filled(name)?)));
    let set: BTreeMap<&str, String> = set.map(|(name, it)| (name, it.trim().to_owned())).collect();
    let before = live.added.iter().find(|it| it.stored.name == name).map(|it| &it.stored);
    let stored = StoredProvider {
        settings: serde_json::to_string(&set).map_err(ApiError::internal)?,
        sealed_key: before.and_then(|it| it.sealed_key.clone()),
        key_end: before.map_or_else(String::new, |it| it.key_end.clone()),
        is_on: form.text("is_on") == "on",
        name,
        kind,
    };
    asked::proof(app, form, "password").await?;
    let stored = with_key(app, form, stored)?;
    let deed = deed(own, described(&stored, before, set.get("usd_per_day_max")));
    app.store.put_provider(stored, deed).await?;
    app.refresh().await?;
    Ok(())
}

/// The provider with the API key of the form, or else the one that it has, after a check of all
/// settings.
fn with_key(app: &App, form: &Form, stored: StoredProvider) -> ApiResult<StoredProvider> {
    let wrong = |(setting, message): (String, String)| {
        let message = message.split("; set it here").next().unwrap_or_default().to_owned();
        ApiError::about(Code::InvalidValue, &setting, format!("{}.", sentence(&message)))
    };
    let typed = form.filled("api_key").map(|key| Secret::new(key.trim()));
    let unsealed = match (&stored.sealed_key, &app.settings.server.secret_key) {
        (Some(sealed), Some(secret_key)) => secret_key.open(&stored.name, sealed),
        _ => None,
    };
    app.read_provider(&stored, typed.as_ref().or(unsealed.as_ref())).map_err(wrong)?;
    let Some(key) = typed else { return Ok(stored) };
    let missing = || {
        let message = "API keys are encrypted with RETOUCH_SERVER__SECRET_KEY, which is not set.";
        ApiError::about(Code::InvalidValue, "api_key", message)
    };
    let secret_key = app.settings.server.secret_key.as_ref().ok_or_else(missing)?;
    let sealed = secret_key.seal(&stored.name, &key, &*app.entropy);
    let sealed = sealed.ok_or_else(|| ApiError::internal("the API key could not be encrypted"))?;
    let chars: Vec<char> = key.reveal().chars().collect();
    // A short key would be recognizable in whole.
    let shown = if chars.len() >= 4 * KEY_END_CHARS { KEY_END_CHARS } else { 0 };
    let key_end = chars.iter().skip(chars.len() - shown).collect();
    Ok(StoredProvider { sealed_key: Some(sealed), key_end, ..stored })
}

/// What changed, for the log.
fn described(
    stored: &StoredProvider,
    before: Option<&StoredProvider>,
    limit: Option<&String>,
) -> String {
    let StoredProvider { name, kind, is_on, .. } = stored;
    let verb = if before.is_some() { "changed" } else { "added" };
    let has_new_key = before.is_none_or(|it| it.sealed_key != stored.sealed_key);
    let key = if has_new_key && stored.sealed_key.is_some() { ", new API key" } else { "" };
    let limit = limit.map_or_else(String::new, |limit| format!(", at most ${limit} a day"));
    let state = if *is_on { "on" } else { "off" };
    format!("{name}: {verb} ({kind}, {state}{limit}{key})")
}

fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

fn stored(live: &Live, name: &str) -> ApiResult<StoredProvider> {
    let found = live.added.iter().find(|one| one.stored.name == name);
    Ok(found.ok_or_else(|| ApiError::not_found("provider"))?.stored.clone())
}

impl Typed {
    fn of(stored: &StoredProvider) -> Self {
        let set = serde_json::from_str(&stored.settings);
        let set: BTreeMap<String, String> = set.unwrap_or_default();
        let text = |name: &str| set.get(name).cloned().unwrap_or_default();
        Self {
            name: stored.name.clone(),
            kind: stored.kind.clone(),
            base_url: text("base_url"),
            api_version: text("api_version"),
            usd_per_day_max: text("usd_per_day_max"),
            key_end: stored.key_end.clone(),
            is_on: stored.is_on,
            is_old: true,
        }
    }

    fn from_form(live: &Live, form: &Form) -> Self {
        let text = |name: &str| form.text(name).to_owned();
        let old = stored(live, form.text("name")).ok();
        Self {
            name: text("name"),
            kind: text("kind"),
            base_url: text("base_url"),
            api_version: text("api_version"),
            usd_per_day_max: text("usd_per_day_max"),
            is_on: form.text("is_on") == "on",
            is_old: old.is_some(),
            key_end: old.map_or_else(String::new, |old| old.key_end),
        }
    }
}

async fn page(app: &App, shell: Shell, own: &Account, typed: Typed) -> ApiResult<ProvidersPage> {
    let live = app.live();
    let spent = app.store.list_spending().await?;
    let spent = |name: &str| {
        let found = spent.iter().find(|one| one.provider == name);
        found.map_or(MicroDollars(0), |one| one.spent)
    };
    let fixed = app.settings.providers.iter();
    let fixed =
        fixed.map(|(name, settings)| Row { is_on: None, ..row(app, name, settings, spent(name)) });
    let added = live.added.iter().map(|one| {
        let stored = &one.stored;
        let shown = match &one.state {
            Ok(settings) => row(app, &stored.name, settings, spent(&stored.name)),
            Err(reason) => Row::broken(stored, reason.to_string()),
        };
        Row { is_on: Some(stored.is_on), key_end: stored.key_end.clone(), ..shown }
    });
    // Those with files can only be configured where the files are.
    let kinds = kinds::KINDS.iter().filter(|kind| !kind.has(OwnSetting::Workflows));
    Ok(ProvidersPage {
        rows: fixed.chain(added).collect(),
        kinds: kinds.collect(),
        may_add: app.settings.server.secret_key.is_some(),
        has_password: app.store.find_password_hash(&own.id).await?.is_some(),
        shell,
        tab: Tab::Providers,
        typed,
        tested: None,
        done: "",
        mistake: Mistake::default(),
    })
}

fn row(app: &App, name: &str, settings: &ProviderSettings, spent: MicroDollars) -> Row {
    let provider = app.providers.find(name);
    let (health, is_well) = provider.map_or(("Off".to_owned(), true), |it| models::worst(&*it));
    Row {
        name: name.to_owned(),
        label: settings.kind.label,
        base_url: settings.base_url.to_string(),
        key_end: String::new(),
        is_on: None,
        problem: None,
        health,
        is_well,
        limit: settings.usd_per_day_max.map(|limit| format!("${limit}")),
        spent: settings.usd_per_day_max.map(|_| format!("${spent}")),
    }
}

impl Row {
    /// A provider that cannot be used.
    fn broken(stored: &StoredProvider, problem: String) -> Self {
        Self {
            name: stored.name.clone(),
            label: kinds::find(&stored.kind).map_or("", |kind| kind.label),
            base_url: String::new(),
            key_end: String::new(),
            is_on: None,
            problem: Some(problem),
            health: String::new(),
            is_well: false,
            limit: None,
            spent: None,
        }
    }
}

/// Whether this kind of provider needs an API key, as a hint in the list of kinds.
fn needs(kind: &ProviderKind) -> &'static str {
    if kind.key == Key::Needed { "" } else { " (your own server)" }
}
