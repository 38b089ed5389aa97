//! litellm-rs: one worker, no database, no keys of its own, no checks of content, no limits of
//! rates, and no logs except errors.

use std::process::Command;

use super::call::MODEL;
use super::peer::{Gateway, Place};
use super::simulator::KEY;
use crate::Fallible;

/// litellm-rs.
pub(super) static GATEWAY: Gateway = Gateway {
    name: "litellm-rs",
    folder: "litellm-rs",
    ready: "/health",
    command,
    headers: |_| String::new(),
};

fn command(place: &Place<'_>) -> Fallible<Command> {
    let file = place.folder.join("gateway.yaml");
    std::fs::write(&file, configuration(place))?;
    let mut command = Command::new(place.installed.join("bin/gateway"));
    command.arg("--config").arg(file).args(["--log-level", "error"]);
    Ok(command)
}

fn configuration(place: &Place<'_>) -> String {
    let (url, port) = (place.upstream, place.address.port());
    format!(
        r#"schema_version: "1.0"
server:
  host: 127.0.0.1
  port: {port}
  workers: 1
  dev_mode: true
providers:
  - name: simulator
    provider_type: openai
    api_key: {KEY}
    base_url: {url}
    rpm: 10000000
    tpm: 1000000000
    max_concurrent_requests: 1000
    models: [{MODEL}]
    enabled: true
router:
  load_balancer:
    health_check_enabled: false
storage:
  database:
    url: postgresql://localhost/unused
    enabled: false
  redis:
    url: redis://localhost
    enabled: false
auth:
  enable_jwt: false
  enable_api_key: false
  allow_anonymous: true
  jwt_secret: ""
guardrails:
  enabled: false
monitoring:
  metrics:
    enabled: false
    port: 9090
    path: /metrics
  tracing:
    enabled: false
cache:
  enabled: false
pricing:
  source: embedded://model_prices_extended
  unpriced_model_policy: allow_unpriced
  unpriced_fallback_cost_per_1k_tokens: 0.0
rate_limit:
  enabled: false
enterprise:
  enabled: false
"#
    )
}
