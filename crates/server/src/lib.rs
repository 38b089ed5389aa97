//! The HTTP API, the web application, the command line, and the flow of an edit.
//!
//! Reading order: [`edits`] (an edit from request to response), [`api`] (the endpoints), [`auth`]
//! (authentication), [`billing`] (plans and payments), [`error`] (errors), [`app`] (the parts of
//! the application), [`serve`] (start-up to shutdown), [`openai`] (the same
//! flow in another protocol), [`web`] (the pages), [`config`] (settings)
//! and [`cli`] (commands).

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
pub mod mcp;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod memory;
pub mod metrics;
mod oauth;
pub mod openai;
pub mod previews;
pub mod serve;
mod serving;
pub mod telemetry;
pub mod uploads;
pub mod web;
pub mod webhooks;
mod words;
