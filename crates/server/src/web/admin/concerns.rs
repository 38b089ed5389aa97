//! What needs the operator's attention.

use std::sync::Arc;

use retouch_core::catalogue::MicroDollars;

use crate::app::{App, Disk, Live, Proof};
use crate::config::AdminSecondFactor;
use crate::error::ApiResult;
use crate::serving;
use crate::web::html::bytes;
use crate::words::number;

/// With less free space than this, results can soon not be stored, in bytes.
const FREE_BYTES_MIN: u64 = 1 << 30;
/// How many emails may wait before the SMTP server looks broken.
const EMAILS_MAX: u64 = 50;
/// How old a pending payment event may get before something looks broken, in milliseconds.
const EVENT_AGE_MS_MAX: i64 = 10 * 60_000;

/// A sentence, and the page where to look.
pub(super) struct Concern {
    pub(super) words: String,
    pub(super) path: &'static str,
    pub(super) link: &'static str,
}

fn concern(words: impl Into<String>, [path, link]: [&'static str; 2]) -> Concern {
    Concern { words: words.into(), path, link }
}

const SETTINGS: [&str; 2] = ["/admin/settings", "Settings"];
const PROVIDERS: [&str; 2] = ["/admin/providers", "Providers"];
const MODELS: [&str; 2] = ["/admin/models", "Models"];

/// Everything that needs attention, the most urgent first.
pub(super) async fn of(app: &App) -> ApiResult<Vec<Concern>> {
    let live = app.live();
    let mut all = Vec::new();
    all.extend(ledger(app));
    all.extend(disk(app));
    all.extend(payments(app).await?);
    all.extend(mail(app).await?);
    all.extend(providers(app, &live).await?);
    let prices = serving::concerns(&app.catalogue, &live.providers, app.clock.now());
    all.extend(prices.iter().map(|words| concern(sentence(words), MODELS)));
    all.extend(settings(app, &live));
    Ok(all)
}

fn ledger(app: &App) -> Option<Concern> {
    let Proof::Done { found: Ok(report), .. } = app.proofs.latest() else { return None };
    let words = format!("The ledger has {} discrepancies.", number(report.found));
    (report.found > 0).then(|| concern(words, ["/admin/books", "Ledger"]))
}

fn disk(app: &App) -> Option<Concern> {
    let disk = Disk::of(&app.settings.store.data_dir)?;
    let words = format!("Only {} of disk space are free.", bytes(disk.free_bytes));
    (disk.free_bytes < FREE_BYTES_MIN).then(|| concern(words, SETTINGS))
}

async fn payments(app: &App) -> ApiResult<Option<Concern>> {
    let open = app.store.count_open_events().await?;
    let is_old = open.oldest.is_some_and(|at| app.clock.now().0 - at.0 > EVENT_AGE_MS_MAX);
    let words = format!("{} payment events could not be processed yet.", number(open.count));
    Ok(is_old.then(|| concern(words, ["/admin/payments?show=waiting", "Payments"])))
}

async fn mail(app: &App) -> ApiResult<Option<Concern>> {
    if !app.sends_mail() {
        let words = "Email is off: addresses are not verified, and users can’t reset a forgotten \
                     password.";
        return Ok(Some(concern(words, ["/admin/emails", "Emails"])));
    }
    let waiting = app.store.count_waiting_emails().await?;
    let words = format!("{} emails are waiting. Check the SMTP server.", number(waiting));
    Ok((waiting > EMAILS_MAX).then(|| concern(words, ["/admin/emails", "Emails"])))
}

async fn providers(app: &App, live: &Arc<Live>) -> ApiResult<Vec<Concern>> {
    let mut all = Vec::new();
    for added in &live.added {
        if let Err(reason) = &added.state {
            all.push(concern(format!("{}: {reason}", added.stored.name), PROVIDERS));
        }
    }
    for spent in app.store.list_spending().await? {
        let Some(limit) = live.usd_per_day_max(&spent.provider) else { continue };
        let MicroDollars(most) = limit;
        if spent.spent.0.saturating_mul(10) >= most.saturating_mul(9) {
            let words =
                format!("{}: ${} of ${limit} spent today (UTC).", spent.provider, spent.spent);
            all.push(concern(words, PROVIDERS));
        }
    }
    Ok(all)
}

fn settings(app: &App, live: &Arc<Live>) -> Vec<Concern> {
    let mut all: Vec<Concern> =
        live.problems.iter().map(|problem| concern(problem.clone(), SETTINGS)).collect();
    if app.settings.server.public_url.is_none() {
        let words = "Links use the listen address, because server.public_url is not set.";
        all.push(concern(words, SETTINGS));
    }
    if app.settings.auth.admin_second_factor == AdminSecondFactor::Off {
        let words = "Administrators can sign in with a password alone.";
        all.push(concern(words, SETTINGS));
    }
    all
}

/// `words` with a capital letter and a period.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
