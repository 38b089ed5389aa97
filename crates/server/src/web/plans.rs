//! `/plans`: the plans and packs that can be bought, and the account's own plan. Where nothing is sold,
//! a way to ask for credits instead.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_core::billing::{Source, Status, Subscription};

use super::credit_request::Asking;
use super::form::{self, Form};
use super::html::{self, day};
use super::problem::{PageResult, Problem};
use super::redirect::RedirectPage;
use super::shell::{Here, Shell};
use crate::api::account::SubscriptionView;
use crate::api::catalogue::{PackView, PlanView, pack_views, plan_view};
use crate::api::path::Named;
use crate::app::App;
use crate::auth;
use crate::billing;
use crate::words::counted;

/// The page to return to.
const HERE: &str = "/plans";

#[derive(Template)]
#[template(path = "web/plans.html")]
struct PlansPage {
    shell: Shell,
    sign_up_credits: i64,
    /// The price of an edit with the default model.
    edit_credits: i64,
    plans: Vec<PlanView>,
    /// The IDs of the plans that can be bought here.
    sold: Vec<String>,
    packs: Vec<PackView>,
    /// The form to ask for credits, for members where nothing is sold.
    asking: Option<Asking>,
    is_asked_now: bool,
    /// The plan of the account.
    has: Option<SubscriptionView>,
    /// Whether the user has just returned from paying.
    is_paid_now: bool,
    /// Whether the account is charged for more than one plan.
    paid_twice: bool,
}

impl PlansPage {
    /// Whether anything can be bought here.
    fn sells(&self) -> bool {
        !self.sold.is_empty() || !self.packs.is_empty()
    }

    /// The account's subscription to this plan, if it has one.
    fn standing(&self, plan: &PlanView) -> Option<&SubscriptionView> {
        self.has.as_ref().filter(|has| has.plan == plan.id)
    }

    /// Whether the user can buy this plan or change to it. They cannot change a plan that an
    /// administrator assigned.
    fn is_offered(&self, plan: &PlanView) -> bool {
        let is_given = self.has.as_ref().is_some_and(|has| has.source != "stripe");
        self.standing(plan).is_none() && !is_given && self.sold.contains(&plan.id)
    }

    /// The concurrency and rate limits of a plan, if they differ between plans.
    fn limits(&self, plan: &PlanView) -> Option<String> {
        let of = |it: &PlanView| (it.edits_at_once_max, it.videos_at_once_max, it.calls_per_minute);
        if self.plans.iter().all(|it| of(it) == of(plan)) {
            return None;
        }
        let (edits, videos, calls) = of(plan);
        let (edits, videos) = (counted(edits, "edit"), counted(videos, "video"));
        let calls = calls.map(|it| format!(", and {} per minute", counted(it as usize, "call")));
        Some(format!("Up to {edits} and {videos} at a time{}.", calls.unwrap_or_default()))
    }

    /// A plan's name, or its ID if it is no longer in the catalog.
    fn name_of<'a>(&'a self, id: &'a str) -> &'a str {
        self.plans.iter().find(|plan| plan.id == id).map_or(id, |plan| plan.name.as_str())
    }

    /// What happens next with the account's plan.
    fn terms(&self, has: &SubscriptionView) -> String {
        let until = day(&has.current_until);
        match (has.cancel_at, &has.next_plan) {
            (Some(end), _) => {
                format!(
                    "Ends on {}. You won’t be charged again, and you keep your credits.",
                    day(&end)
                )
            }
            (None, Some(next)) => format!("Changes to {} on {until}.", self.name_of(next)),
            _ if has.status == "past_due" => "The payment for this month failed.".to_owned(),
            _ if has.source == "stripe" => format!("The next payment is on {until}."),
            _ => format!("Renews on {until}."),
        }
    }

    /// The verb on the button of a plan.
    fn offer(&self, plan: &PlanView) -> &'static str {
        match &self.has {
            None => "Choose",
            Some(_) if self.is_bigger(plan) => "Upgrade to",
            Some(_) => "Change to",
        }
    }

    /// What a change to this plan means for a user who has another one.
    fn change(&self, plan: &PlanView) -> Option<String> {
        let has = self.has.as_ref()?;
        Some(if self.is_bigger(plan) {
            "Starts immediately; you pay the prorated difference, which you see before you confirm."
                .to_owned()
        } else {
            format!(
                "Starts on {}; you keep {} until then.",
                day(&has.current_until),
                self.name_of(&has.plan)
            )
        })
    }

    fn is_bigger(&self, plan: &PlanView) -> bool {
        let of = |id: &str| self.plans.iter().find(|it| it.id == id).map(|it| it.credits_per_month);
        self.has
            .as_ref()
            .and_then(|has| of(&has.plan))
            .is_some_and(|now| plan.credits_per_month > now)
    }
}

pub(super) async fn plans(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let shell = Shell::of(&app, &parts, Here::Plans).await?;
    let all = match &shell.member {
        None => Vec::new(),
        Some(member) => app.store.list_subscriptions(&member.account.id).await?,
    };
    let is_charged = |it: &&Subscription| it.source == Source::Stripe && it.cancel_at.is_none();
    let is_due = all.first().is_some_and(|it| it.status == Status::PastDue);
    let paid_twice = all.iter().filter(is_charged).count() > 1;
    let catalogue = &app.catalogue;
    let asking = Asking::of(&app, shell.member.as_ref().map(|it| &it.account.id)).await?;
    let plans: Vec<PlanView> = catalogue.plans.iter().map(|plan| plan_view(&app, plan)).collect();
    let is_sold =
        |id: &str| app.payments.as_ref().is_some_and(|it| it.stripe.price_of(id).is_some());
    let page = PlansPage {
        shell,
        sign_up_credits: app.sign_up_credits().get(),
        edit_credits: super::edit_credits(&app),
        packs: pack_views(&app),
        asking,
        is_asked_now: form::query(&parts, "asked").is_some(),
        sold: plans.iter().map(|plan| plan.id.clone()).filter(|id| is_sold(id)).collect(),
        plans,
        is_paid_now: form::query(&parts, "paid").is_some() && !is_due,
        paid_twice,
        has: all.into_iter().next().map(SubscriptionView::from),
    };
    Ok(html::page(&page)?)
}

/// Sends the user to Stripe's page to buy a plan or change to it.
pub(super) async fn check_out(
    State(app): State<Arc<App>>,
    Named(plan): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = auth::by_session(&app, &form.parts).await?;
    let caller = caller.ok_or_else(|| Problem::SignIn(HERE.to_owned()))?;
    let address = billing::check_out(&app, &caller.account, &plan).await?;
    redirect(&app, &form.parts, address).await
}

/// Sends the user to Stripe's page to buy a pack of credits.
pub(super) async fn check_out_pack(
    State(app): State<Arc<App>>,
    Named(pack): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = auth::by_session(&app, &form.parts).await?;
    let caller = caller.ok_or_else(|| Problem::SignIn(HERE.to_owned()))?;
    let address = billing::check_out_pack(&app, &caller.account, &pack).await?;
    redirect(&app, &form.parts, address).await
}

/// Sends the user to Stripe's page to manage payment methods, invoices and cancellation.
pub(super) async fn manage(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = auth::by_session(&app, &form.parts).await?;
    let caller = caller.ok_or_else(|| Problem::SignIn(HERE.to_owned()))?;
    let address = billing::open_portal(&app, &caller.account).await?;
    redirect(&app, &form.parts, address).await
}

async fn redirect(app: &App, parts: &Parts, address: String) -> PageResult {
    let redirect = RedirectPage {
        shell: Shell::of(app, parts, Here::Plans).await?,
        name: "Stripe".to_owned(),
        lead: "You pay on Stripe’s page. Your card number never reaches this server.",
        address,
        back: (HERE, "Back to plans"),
    };
    Ok(redirect.page()?)
}
