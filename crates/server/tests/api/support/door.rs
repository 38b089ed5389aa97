//! A service where people sign in through the simulator of an OpenID Connect provider. Both use the
//! same fixed clock.

use retouch_sim::{Options, Sim};
use retouch_store::PageRequest;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::persona::{Answer, Persona};
use super::{START, TestApp};

/// A service and its identity provider.
pub struct Door {
    pub app: TestApp,
    sim: Sim,
}

/// A sign-in on its way through the provider.
pub struct Trip {
    /// The provider's URL that the browser was sent to.
    pub address: String,
    /// The cookie that the browser keeps.
    pub cookie: String,
}

impl Door {
    pub async fn open() -> Self {
        Self::open_with(&[]).await
    }

    /// Like `open`, with further settings.
    pub async fn open_with(more: &[(&str, &str)]) -> Self {
        let sim = Sim::start(Options { key: Some("a secret+".into()), ..Options::default() });
        let sim = sim.unwrap();
        let issuer = sim.url("oidc");
        let usual = [
            ("RETOUCH_OIDC__ISSUER", &*issuer),
            ("RETOUCH_OIDC__CLIENT_ID", "retouch"),
            ("RETOUCH_OIDC__CLIENT_SECRET", "a secret+"),
            ("RETOUCH_OIDC__NAME", "Example ID"),
        ];
        let app = TestApp::with(&[&usual, more].concat()).await;
        let door = Self { app, sim };
        door.ask("clock", &json!({ "seconds": START.0 / 1_000 })).await;
        door
    }

    /// Makes the simulator do what a person, time or an attacker would do.
    pub async fn ask(&self, what: &str, body: &Value) {
        let path = format!("/oidc/_sim/{what}");
        let (head, said) = self.send(("POST", &path), "application/json", &body.to_string()).await;
        assert!(head.starts_with("HTTP/1.1 200"), "{what}: {head} {said}");
    }

    /// Schedules a fault in the simulator.
    pub async fn fault(&self, call: &str) {
        let plan = json!({ "provider": "oidc", "call": call, "fault": "internal_error" });
        let path = ("POST", "/_sim/faults");
        assert!(self.send(path, "application/json", &plan.to_string()).await.0.contains(" 201 "));
    }

    /// Sets who is signed in at the provider from now on.
    pub async fn person(&self, sub: &str, email: &str) {
        self.ask("person", &json!({ "sub": sub, "email": email })).await;
    }

    /// Sends `who` to the provider.
    pub async fn leave(&self, who: &Persona, path: &str) -> Trip {
        let answer = who.get(path).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Trip { address: answer.header("location").unwrap().to_owned(), cookie }
    }

    /// Agrees at the provider. Returns the URL that the browser is sent back to.
    pub async fn agree(&self, trip: &Trip) -> String {
        self.decide(trip, "").await
    }

    /// Declines at the provider. Returns the URL that the browser is sent back to.
    pub async fn decline(&self, trip: &Trip) -> String {
        self.decide(trip, "deny=1").await
    }

    /// Opens the callback in the browser of `who`.
    pub async fn arrive(&self, who: &Persona, trip: &Trip, path: &str) -> Answer {
        who.clone().with_header("cookie", &trip.cookie).get(path).await
    }

    /// A complete sign-in.
    pub async fn pass(&self, who: &Persona) -> Answer {
        self.pass_by(who, "/sign-in/provider?next=/history").await
    }

    /// A complete sign-in, started at `path`.
    pub async fn pass_by(&self, who: &Persona, path: &str) -> Answer {
        let trip = self.leave(who, path).await;
        let back = self.agree(&trip).await;
        self.arrive(who, &trip, &back).await
    }

    /// A new person who has signed in through the provider.
    pub async fn enter(&self) -> Persona {
        let answer = self.pass(&self.app.anon()).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        self.app.anon().with_session(&answer)
    }

    /// The number of accounts.
    pub async fn accounts(&self) -> usize {
        let page = PageRequest { limit: 100, cursor: None };
        self.app.app.store.list_accounts(&page).await.unwrap().data.len()
    }

    async fn decide(&self, trip: &Trip, body: &str) -> String {
        let origin = self.sim.origin();
        let path = trip.address.strip_prefix(&origin).unwrap();
        let kind = "application/x-www-form-urlencoded";
        let (head, said) = self.send(("POST", path), kind, body).await;
        let place = head.lines().find_map(|line| line.strip_prefix("location: "));
        let place = place.unwrap_or_else(|| panic!("{head} {said}"));
        place.strip_prefix("http://127.0.0.1:8080").unwrap().to_owned()
    }

    /// Sends one request on a new connection. Returns its head and body.
    async fn send(&self, (method, path): (&str, &str), kind: &str, body: &str) -> (String, String) {
        let origin = self.sim.origin();
        let host = origin.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(host).await.unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: {kind}\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).await.unwrap();
        let (head, body) = said.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }
}
