//! LiteLLM's proxy: one worker, no database, no logs, no telemetry, and its list of prices from the
//! package instead of the network.

use std::fmt::Write;
use std::process::Command;

use super::call::MODEL;
use super::peer::{Gateway, Place};
use super::simulator::KEY;
use crate::Fallible;

/// LiteLLM's proxy.
pub(super) static GATEWAY: Gateway = Gateway {
    name: "LiteLLM",
    folder: "litellm",
    ready: "/health/liveliness",
    command,
    headers: |_| String::new(),
};

fn command(place: &Place<'_>) -> Fallible<Command> {
    let file = place.folder.join("config.yaml");
    std::fs::write(&file, configuration(place.upstream)?)?;
    let mut command = Command::new(place.installed.join("bin/litellm"));
    command
        .arg("--config")
        .arg(file)
        .args(["--host", "127.0.0.1", "--port", &place.address.port().to_string()])
        .args(["--num_workers", "1", "--telemetry", "False"])
        .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        .env("LITELLM_LOG", "ERROR");
    Ok(command)
}

fn configuration(url: &str) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    writeln!(text, "model_list:")?;
    writeln!(text, "  - model_name: {MODEL}")?;
    writeln!(text, "    litellm_params:")?;
    writeln!(text, "      model: openai/{MODEL}")?;
    writeln!(text, "      api_base: {url}")?;
    writeln!(text, "      api_key: {KEY}")?;
    writeln!(text, "general_settings:")?;
    writeln!(text, "  master_key: {KEY}")?;
    writeln!(text, "  dangerously_permit_weak_or_unset_master_key: true")?;
    writeln!(text, "litellm_settings:")?;
    writeln!(text, "  telemetry: false")?;
    Ok(text)
}
