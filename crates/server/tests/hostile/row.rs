//! One hostile request, and the expected response.

use std::net::SocketAddr;

use serde_json::{Map, Value, json};

use crate::http::{self, Connection};

/// The expected response to a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// An error of the API: its status and code.
    Error(u16, &'static str),
    /// A refusal by status or by hanging up, because the bytes are hardly HTTP.
    Refused,
}

/// One row of the table.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) wanted: Wanted,
}

/// Makes requests with the API key of an account that has credits.
pub(crate) struct Sender {
    pub(crate) key: String,
    /// A small valid image in base64.
    pub(crate) picture: String,
}

impl Row {
    /// A request with these exact bytes.
    pub(crate) fn raw(name: impl Into<String>, bytes: impl Into<Vec<u8>>, wanted: Wanted) -> Self {
        Self { name: name.into(), bytes: bytes.into(), wanted }
    }

    /// Sends the request. Fails with the actual response if it is not the expected one.
    pub(crate) fn try_on(&self, address: SocketAddr) -> Result<(), String> {
        let mut connection = Connection::open(address).map_err(|error| error.to_string())?;
        // The service may have answered and hung up long before the last byte.
        let _ = connection.send(&self.bytes);
        let answer = match connection.receive() {
            Ok(answer) => answer,
            Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock) => {
                return Err("silence".into());
            }
            Err(_) if matches!(self.wanted, Wanted::Refused) => return Ok(()),
            Err(error) => return Err(format!("no response: {error}")),
        };
        let body = answer.json();
        let code = body["error"]["code"].as_str().unwrap_or_default();
        let fits = match self.wanted {
            Wanted::Error(status, wanted) => answer.status == status && code == wanted,
            Wanted::Refused => (400..500).contains(&answer.status),
        };
        let shown = String::from_utf8_lossy(&answer.body[..answer.body.len().min(300)]);
        if fits { Ok(()) } else { Err(format!("{} {shown}", answer.status)) }
    }
}

/// A body that is refused.
#[derive(Clone, Copy)]
pub(crate) struct BadBody<'a> {
    pub(crate) bytes: &'a [u8],
    /// The code of the error.
    pub(crate) code: &'static str,
}

impl Sender {
    /// An edit with this body.
    pub(crate) fn edit(
        &self,
        name: impl Into<String>,
        body: impl Into<Vec<u8>>,
        code: &'static str,
    ) -> Row {
        self.call("/api/image-edit", name, BadBody { bytes: &body.into(), code })
    }

    /// A call of `path` with this body.
    pub(crate) fn call(&self, path: &str, name: impl Into<String>, body: BadBody<'_>) -> Row {
        let headers = [http::bearer(&self.key)];
        let bytes = http::request(&format!("POST {path}"), &headers, Some(body.bytes));
        Row::raw(name, bytes, Wanted::Error(400, body.code))
    }

    /// An edit that is valid except for the field `name`, whose value is written as given.
    pub(crate) fn field(&self, name: &str, value: &str, code: &'static str) -> Row {
        let mut fields: Map<String, Value> = Map::new();
        fields.insert("instruction".into(), "sepia".into());
        fields.insert("imageBase64".into(), self.picture.clone().into());
        fields.remove(if name == "prompt" { "instruction" } else { name });
        let rest = Value::Object(fields).to_string();
        let shown: String = value.chars().take(40).collect();
        self.edit(format!("{name} = {shown}"), format!("{{\"{name}\":{value},{}", &rest[1..]), code)
    }

    /// An edit of the image at a URL.
    pub(crate) fn url(&self, address: &str, code: &'static str) -> Row {
        let body = json!({ "instruction": "sepia", "imageUrl": address });
        self.edit(format!("address {address:.60}"), body.to_string(), code)
    }

    /// A request without a body, with this key.
    pub(crate) fn get(&self, line: &str, status: u16, code: &'static str) -> Row {
        let bytes = http::request(line, &[http::bearer(&self.key)], None);
        Row::raw(format!("{line:.70}"), bytes, Wanted::Error(status, code))
    }
}
