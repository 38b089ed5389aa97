//! Callers of the service, who use only its public interface.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::pictures;

/// A caller.
#[derive(Clone)]
pub struct Persona {
    router: Router,
    headers: Vec<(String, String)>,
    from: SocketAddr,
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.bytes)))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Checks that this is the error `code` about `param`, with the fields of every error. Returns
    /// its message.
    #[track_caller]
    pub fn is_error(&self, status: u16, code: &str, param: Option<&str>) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.bytes));
        let body = self.json();
        let error = &body["error"];
        assert_eq!(error["code"], code, "{body}");
        assert_eq!(error["param"], json!(param), "{body}");
        assert_eq!(error["request_id"], self.header("x-request-id").unwrap());
        assert!(error["type"].is_string());
        error["message"].as_str().unwrap().to_owned()
    }

    /// Checks that the call succeeded, and returns the body.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!(
            self.status.is_success(),
            "{}: {}",
            self.status,
            String::from_utf8_lossy(&self.bytes)
        );
        self.json()
    }
}

impl Persona {
    pub fn new(router: Router) -> Self {
        Self { router, headers: Vec::new(), from: SocketAddr::from(([127, 0, 0, 1], 50_000)) }
    }

    /// The same caller, also sending this header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same caller without the header `name`.
    #[must_use]
    pub fn without_header(mut self, name: &str) -> Self {
        self.headers.retain(|(one, _)| !one.eq_ignore_ascii_case(name));
        self
    }

    /// The same caller, using another service.
    #[must_use]
    pub fn at(mut self, router: Router) -> Self {
        self.router = router;
        self
    }

    /// The same caller at another client address.
    #[must_use]
    pub fn calling_from(mut self, from: [u8; 4]) -> Self {
        self.from = SocketAddr::from((from, 50_000));
        self
    }

    /// The caller after signing up, with a session.
    pub async fn signed_up(self, email: &str) -> Self {
        let credentials = json!({ "email": email, "password": "correct horse" });
        let answer = self.post("/api/auth/sign-up", &credentials).await;
        assert_eq!(
            answer.status,
            StatusCode::CREATED,
            "{}",
            String::from_utf8_lossy(&answer.bytes)
        );
        self.with_session(&answer)
    }

    /// The caller with the session of `answer`.
    #[must_use]
    pub fn with_session(self, answer: &Answer) -> Self {
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        self.with_header("cookie", &cookie).with_header("sec-fetch-site", "same-origin")
    }

    /// The caller with a new API key in place of the session.
    pub async fn with_key(self) -> Self {
        let asked = json!({ "name": "test", "scopes": ["edit", "read", "delete"] });
        let key = self.post("/api/keys", &asked).await.ok();
        let bearer = format!("Bearer {}", key["key"].as_str().unwrap());
        let plain = Self { headers: Vec::new(), ..self };
        plain.with_header("authorization", &bearer)
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None).await
    }

    /// Submits a form of a page, as a browser without JavaScript does.
    pub async fn submit(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let form = self.clone().with_header("content-type", "application/x-www-form-urlencoded");
        form.send(Method::POST, path, Some(body.into_bytes())).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, Some(body.to_string().into_bytes())).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::PATCH, path, Some(body.to_string().into_bytes())).await
    }

    /// A DELETE request with a body.
    pub async fn delete_with(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::DELETE, path, Some(body.to_string().into_bytes())).await
    }

    /// An edit of a small image with the scripted model.
    pub async fn edit(&self, instruction: &str) -> Answer {
        self.edit_with(&json!({ "instruction": instruction, "model": "gamma-2" })).await
    }

    /// An edit with these fields, and a small image unless they name one.
    pub async fn edit_with(&self, fields: &Value) -> Answer {
        let mut body = fields.clone();
        let names = ["imageUrl", "imageUrls", "imageBase64"];
        if names.iter().all(|name| body.get(*name).is_none_or(Value::is_null)) {
            body["imageBase64"] = pictures::base64(4, 3).into();
        }
        self.post("/api/image-edit", &body).await
    }

    /// An image from text, with the scripted model unless `fields` name another.
    pub async fn make(&self, fields: &Value) -> Answer {
        self.post("/api/text-to-image", &with_model(fields, "gamma-2")).await
    }

    /// A video, with the scripted model unless `fields` name another.
    pub async fn video(&self, fields: &Value) -> Answer {
        self.post("/api/video-generation", &with_model(fields, "alpha-video-1")).await
    }

    /// The current state of the generation in `answer`.
    pub async fn look(&self, answer: &Answer) -> Value {
        let uuid = answer.ok()["generation"]["uuid"].as_str().unwrap().to_owned();
        self.get(&format!("/api/generations/{uuid}")).await.ok()
    }

    /// The available credits.
    pub async fn available(&self) -> i64 {
        self.get("/api/credits").await.ok()["available"].as_i64().unwrap()
    }

    /// Sends bytes as JSON, or no body.
    pub async fn send(&self, method: Method, path: &str, body: Option<Vec<u8>>) -> Answer {
        self.send_body(method, path, body.map(Body::from)).await
    }

    /// Sends a body as JSON while it arrives, or no body.
    pub async fn send_body(&self, method: Method, path: &str, body: Option<Body>) -> Answer {
        let (parts, body) = self.begin(method, path, body).await.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        Answer { status: parts.status, headers: parts.headers, bytes }
    }

    /// Like `send_body`, without reading the response's body.
    pub async fn begin(&self, method: Method, path: &str, body: Option<Body>) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        if !self.headers.iter().any(|(name, _)| name == "host") {
            request = request.header(header::HOST, "127.0.0.1:8080");
        }
        if body.is_some() && !self.headers.iter().any(|(name, _)| name == "content-type") {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let mut request = request.body(body.unwrap_or_default()).unwrap();
        request.extensions_mut().insert(ConnectInfo(self.from));
        self.router.clone().oneshot(request).await.unwrap()
    }
}

fn with_model(fields: &Value, model: &str) -> Value {
    let mut body = fields.clone();
    if body["model"].is_null() {
        body["model"] = model.into();
    }
    body
}
