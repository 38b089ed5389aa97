//! Portkey's gateway: one process, without the page that shows calls. It keeps nothing and has no
//! keys of its own. Each call names the provider, and carries the provider's key.

use std::process::Command;

use super::peer::{Gateway, Place};
use crate::Fallible;

/// Portkey's gateway.
pub(super) static GATEWAY: Gateway = Gateway {
    name: "Portkey",
    folder: "portkey",
    ready: "/",
    command,
    headers: |url| format!("x-portkey-provider: openai\r\nx-portkey-custom-host: {url}\r\n"),
};

fn command(place: &Place<'_>) -> Fallible<Command> {
    let package = place.installed.join("node_modules/@portkey-ai/gateway");
    let mut command = Command::new("node");
    command
        .arg(package.join("build/start-server.js"))
        .args(["--headless", &format!("--port={}", place.address.port())])
        .env("NODE_ENV", "production");
    Ok(command)
}
