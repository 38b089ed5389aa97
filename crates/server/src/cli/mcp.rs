//! `retouch mcp`: the tools for an assistant on this machine, over standard input and output. They edit
//! here with the built-in editor, or through a server with an API key.

mod files;
mod local;
mod remote;

use rmcp::transport::stdio;
use rmcp::{RoleServer, Service, ServiceExt};

use super::answer::{Answer, Failure};
use super::command::McpArguments;
use super::server;
use crate::app::fonts;
use local::Local;
use remote::Remote;

/// Serves an assistant until it closes standard input.
pub(super) fn serve(asked: &McpArguments) -> Result<Answer, Failure> {
    fonts::add(&asked.fonts).map_err(Failure::failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        match &asked.server.server {
            None => until_closed(Local::new()).await,
            Some(url) => {
                let key = server::key(&asked.server)?;
                until_closed(Remote::connect(url.clone(), key).await?).await
            }
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
