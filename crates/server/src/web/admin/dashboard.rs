//! `/admin`: how the service is doing today, yesterday and in the last 30 days, and what needs the
//! operator's attention.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::Timestamp;
use retouch_store::{DayFigures, DayOfRoute};

use super::chart::{Chart, Day, Drawing};
use super::days::{self, Sum};
use super::{Tab, concerns};
use crate::app::{App, Disk};
use crate::error::ApiResult;
use crate::web::html::{self, bytes, usd};
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};
use crate::web::usage::DAY_MS;
use crate::words::number;

/// A line of numbers: today, yesterday, and the last 30 days.
struct Line {
    name: &'static str,
    cells: [String; 3],
}

#[derive(Template)]
#[template(path = "web/admin/dashboard.html")]
struct DashboardPage {
    shell: Shell,
    tab: Tab,
    concerns: Vec<concerns::Concern>,
    lines: Vec<Line>,
    charts: Vec<Chart>,
    /// What is going on right now: names and values.
    now: Vec<(&'static str, String)>,
}

pub(super) async fn dashboard(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let days = Days::read(&app).await?;
    let page = DashboardPage {
        shell,
        tab: Tab::Dashboard,
        concerns: concerns::of(&app).await?,
        lines: days.lines(),
        charts: days.charts(),
        now: now(&app).await?,
    };
    Ok(html::page(&page)?)
}

/// What is going on right now.
async fn now(app: &App) -> ApiResult<Vec<(&'static str, String)>> {
    let events = app.store.count_open_events().await?.count;
    let emails = app.store.count_waiting_emails().await?;
    let disk = Disk::of(&app.settings.store.data_dir);
    let mut now = vec![
        ("In progress", number(app.store.count_running().await?)),
        ("Waiting on this node", number(app.waiting())),
    ];
    if app.sends_mail() {
        now.push(("Emails waiting", number(emails)));
    }
    if app.payments.is_some() {
        now.push(("Payment events pending", number(events)));
    }
    now.extend(disk.map(|disk| ("Free disk space", bytes(disk.free_bytes))));
    now.push(("Version", env!("CARGO_PKG_VERSION").to_owned()));
    Ok(now)
}

/// The numbers of the last days.
struct Days {
    /// The start of each day, oldest first.
    days: Vec<Timestamp>,
    edits: BTreeMap<Timestamp, Sum>,
    sign_ups: BTreeMap<Timestamp, i64>,
    /// Sold and otherwise granted credits.
    granted: BTreeMap<Timestamp, [i64; 2]>,
    figures: BTreeMap<Timestamp, DayFigures>,
    /// The totals of all days.
    all: Sum,
}

impl Days {
    async fn read(app: &App) -> ApiResult<Self> {
        let today = app.clock.now().0.div_euclid(DAY_MS) * DAY_MS;
        let starts = (0..days::DAYS).rev().map(|ago| Timestamp(today - ago * DAY_MS));
        let starts: Vec<Timestamp> = starts.collect();
        let since = starts.first().copied().unwrap_or(Timestamp(today));
        let store = &app.store;
        let rows: Vec<DayOfRoute> = store.list_days(since).await?;
        let sign_ups = store.list_sign_ups(since).await?;
        let mut granted: BTreeMap<Timestamp, [i64; 2]> = BTreeMap::new();
        for grant in store.list_grants(since).await? {
            let [sold, given] = granted.entry(grant.day).or_default();
            *if grant.is_sold { sold } else { given } += grant.credits.get();
        }
        let figures = store.list_figures(since).await?;
        Ok(Self {
            days: starts,
            edits: days::sums(&rows, &app.catalogue),
            sign_ups: sign_ups.into_iter().map(|one| (one.day, one.accounts)).collect(),
            granted,
            figures: figures.into_iter().map(|one| (one.day, one)).collect(),
            all: days::total(&rows, &app.catalogue),
        })
    }

    fn chart(&self, drawing: &Drawing, values: impl Fn(Timestamp) -> Vec<Option<i64>>) -> Chart {
        let day = |day: &Timestamp| Day { day: *day, values: values(*day) };
        Chart::of(drawing, &self.days.iter().map(day).collect::<Vec<_>>())
    }

    fn charts(&self) -> Vec<Chart> {
        let plain = Drawing { title: "", names: &[], show: |it| number(it), is_stacked: false };
        let people = Drawing { title: "People", names: &["Sign-ups", "Active accounts"], ..plain };
        let results =
            Drawing { title: "Edits", names: &["Completed", "Failed"], is_stacked: true, ..plain };
        let credits = Drawing { title: "Credits", names: &["Sold", "Granted", "Used"], ..plain };
        let money =
            Drawing { title: "Money", names: &["Provider cost", "Margin"], show: usd, ..plain };
        let size = |it: i64| bytes(it.unsigned_abs());
        let database = Drawing { title: "Database", names: &["Size"], show: size, ..plain };
        let disk = Drawing { title: "Disk", names: &["Used"], show: size, ..plain };
        vec![
            self.chart(&people, |day| vec![Some(self.sign_ups(day)), self.active(day)]),
            self.chart(&results, |day| {
                let sum = self.edits.get(&day);
                vec![sum.map(|sum| sum.made).or(Some(0)), sum.map(Sum::failures).or(Some(0))]
            }),
            self.chart(&credits, |day| {
                let [sold, given] = self.granted(day);
                let used = self.edits.get(&day).map_or(0, |sum| sum.credits);
                vec![Some(sold), Some(given), Some(used)]
            }),
            self.chart(&money, |day| match self.edits.get(&day) {
                Some(sum) => vec![sum.cost_micros(), sum.margin_micros()],
                None => vec![Some(0), Some(0)],
            }),
            self.chart(&database, |day| {
                vec![self.figures.get(&day).and_then(|it| it.database_bytes)]
            }),
            self.chart(&disk, |day| vec![self.figures.get(&day).and_then(|it| it.disk_bytes)]),
        ]
    }

    fn lines(&self) -> Vec<Line> {
        let count = |name, of: &dyn Fn(Timestamp) -> i64| {
            let all = self.days.iter().map(|day| of(*day)).sum::<i64>();
            Line { name, cells: self.cells(&|day| number(of(day)), number(all)) }
        };
        let of_sum = |day: Timestamp, of: fn(&Sum) -> i64| self.edits.get(&day).map_or(0, of);
        let active = |day| self.active(day).map_or_else(|| "–".to_owned(), number);
        let money = |name, of: fn(&Sum) -> Option<i64>| {
            let show = |micros: Option<i64>| micros.map_or_else(|| "unknown".to_owned(), usd);
            let of_day = |day: Timestamp| show(self.edits.get(&day).map_or(Some(0), of));
            Line { name, cells: self.cells(&of_day, show(of(&self.all))) }
        };
        vec![
            count("Sign-ups", &|day| self.sign_ups(day)),
            Line { name: "Active accounts", cells: self.cells(&active, "–".to_owned()) },
            count("Edits completed", &|day| of_sum(day, |sum| sum.made)),
            count("Edits failed", &|day| of_sum(day, Sum::failures)),
            count("Credits sold", &|day| self.granted(day)[0]),
            count("Credits granted", &|day| self.granted(day)[1]),
            count("Credits used", &|day| of_sum(day, |sum| sum.credits)),
            money("Provider cost", Sum::cost_micros),
            money("Margin", Sum::margin_micros),
        ]
    }

    /// The values of today and yesterday, and of all days.
    fn cells(&self, of: &dyn Fn(Timestamp) -> String, all: String) -> [String; 3] {
        let mut newest = self.days.iter().rev().map(|day| of(*day));
        [newest.next().unwrap_or_default(), newest.next().unwrap_or_default(), all]
    }

    fn sign_ups(&self, day: Timestamp) -> i64 {
        self.sign_ups.get(&day).copied().unwrap_or(0)
    }

    fn active(&self, day: Timestamp) -> Option<i64> {
        self.figures.get(&day)?.active_accounts
    }

    fn granted(&self, day: Timestamp) -> [i64; 2] {
        self.granted.get(&day).copied().unwrap_or_default()
    }
}
