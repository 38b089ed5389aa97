//! Bodies of requests that are answered without them.

use std::time::Duration;

use axum::body::Body;
use futures_util::StreamExt;
use tokio::time::timeout;

/// The most that is read of such a body, in bytes.
const BYTES_MAX: usize = 1 << 20;
/// How long it is read.
const TIME_MAX: Duration = Duration::from_secs(2);

/// Reads `body` and forgets it. A connection that closes while its client is still sending is reset,
/// and many clients then report a lost connection instead of the response.
pub async fn discard(body: Body) {
    let reading = async {
        let (mut pieces, mut bytes) = (body.into_data_stream(), 0);
        while let Some(Ok(piece)) = pieces.next().await {
            bytes += piece.len();
            if bytes > BYTES_MAX {
                break;
            }
        }
    };
    // The response is the same, however much has arrived.
    let _ = timeout(TIME_MAX, reading).await;
}
