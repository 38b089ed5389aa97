//! `retouch doctor`: finds problems with everything the service depends on.

mod folder;
mod identities;
mod images;
mod mail;
mod payments;
mod port;
mod providers;
mod results;

use retouch_core::catalogue::MicroDollars;
use retouch_core::{Clock, SystemClock, Timestamp};
use retouch_store::Database;
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::providers::InUse;
use super::session::{self, Session};
use crate::config::{Settings, Sources};
use crate::serving;

/// 2025-01-01, before this program was written. A clock that shows an earlier time is wrong.
const CLOCK_MIN: Timestamp = Timestamp(1_735_689_600_000);
/// 2100-01-01. A clock that shows a later time is probably wrong.
const CLOCK_MAX: Timestamp = Timestamp(4_102_444_800_000);

/// The result of one check.
#[derive(Clone)]
struct Finding {
    name: String,
    /// What was found, or what is wrong and how to fix it.
    result: Result<String, String>,
    /// Whether this is only a warning: it works, but should be changed.
    is_doubtful: bool,
}

/// Checks everything the service needs. If the settings are wrong, it checks nothing else.
pub(super) fn examine(sources: &Sources) -> Result<Answer, Failure> {
    let findings = match Settings::load(sources) {
        Err(error) => vec![finding("settings", Err(error.to_string()))],
        Ok(settings) => {
            let data = &settings.store.data_dir;
            let in_use = InUse::read(sources, &settings);
            let mut findings = vec![
                finding("settings", Ok(changed(&settings))),
                finding("clock", clock(SystemClock.now())),
                finding("catalogue", catalogue(&settings)),
                finding("data folder", folder::writable(data)),
                finding("free space", folder::free_space(data)),
                database(sources, &settings),
                finding("images", images::look(&settings)),
                finding("results", results::look(&settings)),
                finding("address", port::look(settings.server.listen)),
            ];
            findings.extend(prices(&settings, &in_use));
            findings.extend(spent(sources, &in_use));
            findings.extend(providers::ask(&settings, &in_use));
            findings.extend(payments::ask(&settings));
            findings.extend(mail::ask(&settings));
            findings.extend(identities::ask(&settings));
            findings
        }
    };
    let is_ill = findings.iter().any(|finding| finding.result.is_err());
    let width = findings.iter().map(|finding| finding.name.chars().count()).max().unwrap_or(0);
    let text: String = findings.iter().map(|finding| line(finding, width)).collect();
    let values: Vec<Value> = findings.iter().map(value).collect();
    let json = json!({ "ok": !is_ill, "checks": values });
    Ok(Answer::new(text, json).failing_when(is_ill))
}

fn finding(name: &str, result: Result<String, String>) -> Finding {
    Finding { name: name.to_owned(), result, is_doubtful: false }
}

/// A warning: the service runs, but the operator should know.
fn doubt(name: &str, detail: String) -> Finding {
    Finding { is_doubtful: true, ..finding(name, Ok(detail)) }
}

fn line(finding: &Finding, width: usize) -> String {
    let (mark, detail) = match &finding.result {
        Ok(detail) if finding.is_doubtful => ("warn", detail),
        Ok(detail) => ("ok  ", detail),
        Err(detail) => ("FAIL", detail),
    };
    format!("{mark}  {:<width$}  {detail}\n", finding.name)
}

fn value(finding: &Finding) -> Value {
    let (Ok(detail) | Err(detail)) = &finding.result;
    let (is_ok, is_doubtful) = (finding.result.is_ok(), finding.is_doubtful);
    json!({ "name": finding.name, "ok": is_ok, "warning": is_doubtful, "detail": detail })
}

fn changed(settings: &Settings) -> String {
    let all = settings.show();
    let changed = all.iter().filter(|setting| setting.origin != "default").count();
    format!("{changed} of {} changed from their defaults", all.len())
}

fn clock(now: Timestamp) -> Result<String, String> {
    if now < CLOCK_MIN || now > CLOCK_MAX {
        return Err(format!(
            "the system clock says {now}; correct it, because sessions and credits expire by it"
        ));
    }
    Ok(now.to_string())
}

fn catalogue(settings: &Settings) -> Result<String, String> {
    let catalogue = settings.catalogue.load().map_err(|error| error.to_string())?;
    let from = match &settings.catalogue.file {
        Some(file) => file.display().to_string(),
        None => "the built-in catalogue".to_owned(),
    };
    Ok(format!("{} models in {from}", catalogue.models.len()))
}

/// Warnings about models that are sold below cost and routes that end soon.
fn prices(settings: &Settings, in_use: &InUse) -> Vec<Finding> {
    let Ok(catalogue) = settings.catalogue.load() else { return Vec::new() };
    let concerns = serving::concerns(&catalogue, &in_use.providers, SystemClock.now());
    concerns.into_iter().map(|concern| doubt("catalogue", concern)).collect()
}

/// What was spent today at providers that have a daily limit.
fn spent(sources: &Sources, in_use: &InUse) -> Vec<Finding> {
    let limits = in_use.providers.iter();
    let mut limits = limits.filter_map(|(name, one)| Some((name, one.usd_per_day_max?))).peekable();
    if limits.peek().is_none() {
        return Vec::new();
    }
    let listed =
        session::with(sources, async |session: &Session| Ok(session.store.list_spending().await?));
    // If the database does not respond, its own check says so.
    let Ok(spending) = listed else { return Vec::new() };
    let line = |(name, limit): (&String, MicroDollars)| {
        let spent = spending.iter().find(|one| one.provider == *name);
        let spent = spent.map_or(MicroDollars(0), |one| one.spent);
        let spent_today = format!("${spent} of ${limit} spent today (UTC)");
        let name = format!("spending {name}");
        if spent.0.saturating_mul(10) >= limit.0.saturating_mul(9) {
            doubt(&name, spent_today)
        } else {
            finding(&name, Ok(spent_today))
        }
    };
    limits.map(line).collect()
}

/// Opens the database, which must have this version's schema, and writes to it.
fn database(sources: &Sources, settings: &Settings) -> Finding {
    let database = &settings.store.database;
    if let Some(path) = database.file().filter(|path| folder::is_missing(path)) {
        let (key, origin) = settings.database_origin();
        let detail =
            "does not exist yet; `retouch serve` creates it. If your server already has one";
        return doubt("database", format!("{} {detail}, check {key} ({origin})", path.display()));
    }
    let ready = async |session: &Session| Ok(session.store.ready().await?);
    match session::with(sources, ready) {
        Err(Failure::Failed(message) | Failure::Usage(message)) => {
            finding("database", Err(message))
        }
        Ok(()) if matches!(database, Database::Server(address) if address.is_in_the_clear()) => {
            let detail = "the connection is not encrypted; add sslmode=require";
            doubt("database", format!("{database}; {detail}"))
        }
        Ok(()) => finding("database", Ok(database.to_string())),
    }
}
