//! `retouch doctor`: what keeps the service from running well.

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
use super::session::{self, Session};
use crate::config::{Settings, Sources};
use crate::serving;

/// A time before this program was written (2025-01-01): a clock that shows it is wrong.
const CLOCK_MIN: Timestamp = Timestamp(1_735_689_600_000);
/// A time that this program will hardly see (2100-01-01).
const CLOCK_MAX: Timestamp = Timestamp(4_102_444_800_000);

/// One thing that was looked at.
#[derive(Clone)]
struct Finding {
    name: String,
    /// What was found, or what is wrong and what to do.
    result: Result<String, String>,
    /// Whether what was found works, and had better be otherwise.
    is_doubtful: bool,
}

/// Looks at everything that the service needs. Where the settings are wrong, at nothing else.
pub(super) fn examine(sources: &Sources) -> Result<Answer, Failure> {
    let findings = match Settings::load(sources) {
        Err(error) => vec![finding("settings", Err(error.to_string()))],
        Ok(settings) => {
            let data = &settings.store.data_dir;
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
            findings.extend(prices(&settings));
            findings.extend(spent(sources, &settings));
            findings.extend(providers::ask(&settings));
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

/// Something that keeps nothing from running, and that the operator should know.
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
    format!("{changed} of {} are not the defaults", all.len())
}

fn clock(now: Timestamp) -> Result<String, String> {
    if now < CLOCK_MIN || now > CLOCK_MAX {
        return Err(format!("it is {now}, says the clock; set it, or sessions and credits expire"));
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

/// What of the catalogue costs the operator money, or soon serves nobody.
fn prices(settings: &Settings) -> Vec<Finding> {
    let Ok(catalogue) = settings.catalogue.load() else { return Vec::new() };
    let concerns = serving::concerns(&catalogue, settings, SystemClock.now());
    concerns.into_iter().map(|concern| doubt("catalogue", concern)).collect()
}

/// What was spent today at providers that have a limit.
fn spent(sources: &Sources, settings: &Settings) -> Vec<Finding> {
    let limits = settings.providers.iter();
    let mut limits = limits.filter_map(|(name, one)| Some((name, one.usd_per_day_max?))).peekable();
    if limits.peek().is_none() {
        return Vec::new();
    }
    let listed =
        session::with(sources, async |session: &Session| Ok(session.store.list_spending().await?));
    // Where the database does not answer, its own line says so.
    let Ok(spending) = listed else { return Vec::new() };
    let line = |(name, limit): (&String, MicroDollars)| {
        let spent = spending.iter().find(|one| one.provider == *name);
        let spent = spent.map_or(MicroDollars(0), |one| one.spent);
        let told = format!("${spent} of ${limit} spent today (UTC)");
        let name = format!("spending {name}");
        if spent.0.saturating_mul(10) >= limit.0.saturating_mul(9) {
            doubt(&name, told)
        } else {
            finding(&name, Ok(told))
        }
    };
    limits.map(line).collect()
}

/// Opens the database, which has to have this version's schema, and writes to it.
fn database(sources: &Sources, settings: &Settings) -> Finding {
    let database = &settings.store.database;
    let ready = async |session: &Session| Ok(session.store.ready().await?);
    match session::with(sources, ready) {
        Err(Failure::Failed(message) | Failure::Usage(message)) => {
            finding("database", Err(message))
        }
        Ok(()) if matches!(database, Database::Server(address) if address.is_in_the_clear()) => {
            let detail = "what is said to it can be read on the way: add sslmode=require";
            doubt("database", format!("{database}; {detail}"))
        }
        Ok(()) => finding("database", Ok(database.to_string())),
    }
}
