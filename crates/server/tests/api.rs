//! The public HTTP surface: the real router on a real database, with a clock and a provider that
//! the tests control.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "a test waits for the tasks that it spawns")]
#![expect(unreachable_pub, reason = "modules of one binary, not a crate")]

#[path = "api/abuse.rs"]
mod abuse;
#[path = "api/account.rs"]
mod account;
#[path = "api/admin.rs"]
mod admin;
#[path = "api/admin_payments.rs"]
mod admin_payments;
#[path = "api/background.rs"]
mod background;
#[path = "api/billing.rs"]
mod billing;
#[path = "api/bodies.rs"]
mod bodies;
#[path = "api/canceling.rs"]
mod canceling;
#[path = "api/changes.rs"]
mod changes;
#[path = "api/costs.rs"]
mod costs;
#[path = "api/credit_requests.rs"]
mod credit_requests;
#[path = "api/documents.rs"]
mod documents;
#[path = "api/expiry.rs"]
mod expiry;
#[path = "api/failures.rs"]
mod failures;
#[path = "api/fairness.rs"]
mod fairness;
#[path = "api/files.rs"]
mod files;
#[path = "api/formats.rs"]
mod formats;
#[path = "api/generations.rs"]
mod generations;
#[path = "api/history.rs"]
mod history;
#[path = "api/idempotency.rs"]
mod idempotency;
#[path = "api/identities.rs"]
mod identities;
#[path = "api/inputs.rs"]
mod inputs;
#[path = "api/joining.rs"]
mod joining;
#[path = "api/keys.rs"]
mod keys;
#[path = "api/kinds.rs"]
mod kinds;
#[path = "api/ledger.rs"]
mod ledger;
#[path = "api/limits.rs"]
mod limits;
#[path = "api/mail.rs"]
mod mail;
#[path = "api/many.rs"]
mod many;
#[path = "api/mcp.rs"]
mod mcp;
#[path = "api/notices.rs"]
mod notices;
#[path = "api/oauth.rs"]
mod oauth;
#[path = "api/openai.rs"]
mod openai;
#[path = "api/operator.rs"]
mod operator;
#[path = "api/orphans.rs"]
mod orphans;
#[path = "api/packs.rs"]
mod packs;
#[path = "api/pages.rs"]
mod pages;
#[path = "api/parameters.rs"]
mod parameters;
#[path = "api/passkeys.rs"]
mod passkeys;
#[path = "api/payers.rs"]
mod payers;
#[path = "api/plans.rs"]
mod plans;
#[path = "api/previews.rs"]
mod previews;
#[path = "api/reader.rs"]
mod reader;
#[path = "api/results.rs"]
mod results;
#[path = "api/resuming.rs"]
mod resuming;
#[path = "api/second_factor.rs"]
mod second_factor;
#[path = "api/sessions.rs"]
mod sessions;
#[path = "api/settling.rs"]
mod settling;
#[path = "api/sign_in.rs"]
mod sign_in;
#[path = "api/support.rs"]
mod support;
#[path = "api/taking_over.rs"]
mod taking_over;
#[path = "api/uploads.rs"]
mod uploads;
#[path = "api/videos.rs"]
mod videos;
#[path = "api/watching.rs"]
mod watching;
#[path = "api/webhooks.rs"]
mod webhooks;
