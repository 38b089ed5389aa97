//! The Model Context Protocol: assistants use Retouch as a set of tools.
//!
//! `rmcp` speaks the protocol. Here is what it serves: the `tools` with their schemas, and the
//! `resources`. Over HTTP ([`http`]), a `desk` carries them out for one call of an account, through
//! the same functions as the API. `retouch mcp` (`cli/mcp.rs`) offers them over standard input and
//! output.

pub(crate) mod answer;
mod arguments;
mod carry_out;
mod desk;
pub mod http;
mod message;
pub mod origin;
pub(crate) mod resources;
mod schema;
pub(crate) mod tools;

use crate::previews::Small;
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};

/// What an assistant reads before it uses the tools.
const INSTRUCTIONS: &str = "\
Retouch edits images from plain-English instructions and creates images from text. Calls of edit_image and \
generate_image are charged in credits, and only if there is a result. list_models says which models and prices \
there are; estimate_cost says what a call would cost.

The built-in editor understands precise instructions such as `crop to 16:9, then increase the warmth by 20%`, \
and refuses what it does not understand. Before you call edit_image, call plan_edit with your instruction: it \
costs nothing and says what would be done, or which words stopped the editor and what works instead. The \
resource retouch://manual lists everything that the editor can do.

Pass an idempotency_key with each call that is charged, and the same one if you repeat it: you then get the \
first result and pay once.";

/// Large enough for an assistant to see what was done, and small enough for its context. In base64,
/// with all the rest, it stays under 256 KiB.
pub(crate) const PREVIEW: Small = Small { side_px_max: 768, bytes_max: 128 * 1024 };

/// What the server says about itself.
pub(crate) fn info(instructions: &str) -> ServerConfig {
    let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
    let name = Implementation::new("retouch", env!("CARGO_PKG_VERSION")).with_title("Retouch");
    ServerConfig::new(capabilities).with_server_info(name).with_instructions(instructions)
}
