//! `retouch mcp`: the tools for an assistant on this machine, over standard input and output. They edit
//! here with the built-in editor, or through a server with an API key.

mod files;
mod local;
mod remote;

use std::{env, fs};

use retouch_outbound::client::Key;
use rmcp::transport::stdio;
use rmcp::{RoleServer, Service, ServiceExt};

use super::answer::{Answer, Failure};
use super::command::McpArguments;
use crate::app::fonts;
use crate::config::API_KEY;
use local::Local;
use remote::Remote;

/// Serves an assistant until it closes standard input.
pub(super) fn serve(asked: &McpArguments) -> Result<Answer, Failure> {
    fonts::add(&asked.fonts).map_err(Failure::failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        match &asked.server {
            None => until_closed(Local::new()).await,
            Some(server) => until_closed(Remote::connect(server.clone(), key(asked)?).await?).await,
        }
    });
    // Reading standard input cannot be cancelled.
    runtime.shutdown_background();
    served.map(|()| Answer::nothing())
}

async fn until_closed(service: impl Service<RoleServer>) -> Result<(), Failure> {
    let running = service.serve(stdio()).await.map_err(Failure::failed)?;
    running.waiting().await.map_err(Failure::failed)?;
    Ok(())
}

/// The API key, from its file or from the environment.
fn key(asked: &McpArguments) -> Result<Key, Failure> {
    let text = match &asked.key_file {
        Some(file) => fs::read_to_string(file)
            .map_err(|error| Failure::Failed(format!("{}: {error}", file.display())))?,
        None => env::var(API_KEY).unwrap_or_default(),
    };
    if text.trim().is_empty() {
        let message = format!("no API key: set {API_KEY}, or name its file with --key-file");
        return Err(Failure::Usage(message));
    }
    Ok(Key::new(text.trim()))
}
