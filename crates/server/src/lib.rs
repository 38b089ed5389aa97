//! How people reach it: HTTP, the web application, the command line, and the flow of one edit.
//!
//! Reading order: [`edits`] (one edit, from the request to the answer), [`api`] (the addresses),
//! [`auth`] (who calls), [`billing`] (plans and payments), [`error`] (what can go wrong), [`app`]
//! (what it is made of), [`serve`] (from start to end), [`web`] (the pages), [`config`] and [`cli`]
//! (what the operator decides and does).

pub mod api;
pub mod app;
pub mod auth;
pub mod billing;
pub mod cli;
pub mod config;
pub mod edits;
pub mod error;
pub mod http;
pub mod mail;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod memory;
pub mod metrics;
pub mod serve;
mod serving;
pub mod telemetry;
pub mod web;
