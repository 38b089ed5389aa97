//! `retouch admin`: how the first administrator comes to be.

use serde_json::json;

use super::answer::{Answer, Failure};
use super::session;
use crate::auth::link;
use crate::config::Sources;

/// Prints a new one-time link; earlier ones stop working.
pub(super) fn link(sources: &Sources) -> Result<Answer, Failure> {
    session::with(sources, async |session| {
        let server = &session.settings.server;
        if server.public_url.is_none() && server.listen.port() == 0 {
            let message = "server.listen has port 0, so the address of the running server is not \
                           known here: set server.public_url, or start the server anew and use \
                           the link that it prints";
            return Err(Failure::failed(message));
        }
        let base = server.public_url(server.listen);
        match link::create(&session.store, &session.ids, &base).await? {
            Some(address) => Ok(Answer::new(format!("{address}\n"), json!({ "link": address }))
                .note("Open it once, within 30 minutes; whoever opens it administers.")),
            None => Err(Failure::failed("there is an administrator already")),
        }
    })
}
