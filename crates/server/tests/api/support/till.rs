//! A service with paid plans and the simulator of Stripe, whose clocks move together.

use std::net::SocketAddr;
use std::sync::Arc;

use retouch_server::app::App;
use retouch_server::billing;
use retouch_sim::{Options, Sim};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::TestApp;
use super::persona::Persona;

/// The signing secret of the webhook.
pub const SECRET: &str = "whsec_of_the_test";
/// Seconds in a day.
pub const DAY_S: i64 = 86_400;

/// A service and its Stripe simulator.
pub struct Till {
    pub app: TestApp,
    pub sim: Sim,
    pub address: SocketAddr,
    /// The prices of basic, pro and max.
    pub prices: Vec<String>,
}

/// A paying customer, and their IDs at Stripe.
pub struct Payer {
    /// The customer with a session, for as long as it lasts.
    pub person: Persona,
    /// The customer with an API key.
    pub caller: Persona,
    pub customer: String,
    pub subscription: String,
    pub session: String,
}

fn listed(prices: &[String]) -> String {
    format!("basic={},pro={},max={}", prices[0], prices[1], prices[2])
}

/// Settings for these prices, with Stripe at this address.
fn settings<'a>(listed: &'a str, at: &'a str) -> [(&'static str, &'a str); 4] {
    [
        ("RETOUCH_BILLING__STRIPE_SECRET_KEY", "sk_test_of_the_test"),
        ("RETOUCH_BILLING__STRIPE_WEBHOOK_SECRET", SECRET),
        ("RETOUCH_BILLING__STRIPE_PRICES", listed),
        ("RETOUCH_BILLING__STRIPE_BASE_URL", at),
    ]
}

impl Till {
    pub async fn open() -> Self {
        Self::with(&[]).await
    }

    /// Like `open`, with further settings.
    pub async fn with(environment: &[(&str, &str)]) -> Self {
        let sim = Sim::start(Options::default()).unwrap();
        let origin = sim.origin();
        let mut prices = Vec::new();
        for (plan, cents) in [("basic", 990), ("pro", 1_990), ("max", 2_990)] {
            let form = format!(
                "unit_amount={cents}&currency=usd&recurring[interval]=month\
                 &product_data[name]={plan}&lookup_key={plan}"
            );
            let made = send(&origin, ("POST", "/stripe/v1/prices"), FORM, &form).await.1;
            prices.push(made["id"].as_str().unwrap().to_owned());
        }
        let (listed, at) = (listed(&prices), sim.url("stripe"));
        let app = TestApp::with(&[&settings(&listed, &at), environment].concat()).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = app.router.clone().into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let till = Self { app, sim, address, prices };
        let url = format!("http://{address}/api/billing/stripe/webhook");
        till.ask("hook", &json!({ "url": url, "secret": SECRET })).await;
        till
    }

    /// A second service next to the first, with the same Stripe.
    pub async fn second(&self) -> Arc<App> {
        let (listed, at) = (listed(&self.prices), self.sim.url("stripe"));
        self.app.second_with(&settings(&listed, &at)).await
    }

    /// Makes the simulator do what a person or time would do.
    pub async fn ask(&self, what: &str, body: &Value) -> Value {
        let call = ("POST", &*format!("/stripe/_sim/{what}"));
        let (status, answer) = send(&self.sim.origin(), call, JSON, &body.to_string()).await;
        assert_eq!(status, 200, "{what}: {answer}");
        answer
    }

    /// Reads from the simulator.
    pub async fn look(&self, path: &str) -> Value {
        send(&self.sim.origin(), ("GET", &format!("/stripe/{path}")), JSON, "").await.1
    }

    /// Lets time pass, in the service and at Stripe.
    pub async fn wait(&self, days: i64) {
        self.ask("clock", &json!({ "seconds": days * DAY_S })).await;
        self.app.clock.advance_ms(days * DAY_S * 1_000);
    }

    /// Calls Stripe's API as the operator does, and returns the answer.
    pub async fn operate(&self, method: &str, path: &str, form: &str) -> Value {
        let call = (method, &*format!("/stripe/v1/{path}"));
        let (status, answer) = send(&self.sim.origin(), call, FORM, form).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// Delivers the pending events as `how` says and settles them. Returns the statuses of the
    /// webhook.
    pub async fn deliver(&self, how: &Value) -> Vec<u64> {
        let told = self.ask("deliver", how).await;
        billing::settle_inbox(&self.app.app).await.unwrap();
        told["statuses"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).collect()
    }

    /// A new account that goes to the checkout and pays. The events are not delivered yet.
    pub async fn payer(&self, email: &str, plan: &str) -> Payer {
        let person = self.app.member(email).await;
        let caller = person.clone().with_key().await;
        let page = person.post("/api/billing/checkout", &json!({ "plan": plan })).await.ok();
        let url = page["url"].as_str().unwrap();
        let session = url.rsplit('/').next().unwrap().to_owned();
        let paid = self.ask("pay", &json!({ "session": session })).await;
        let text = |name: &str| paid[name].as_str().unwrap_or_default().to_owned();
        let (customer, subscription) = (text("customer"), text("subscription"));
        Payer { person, caller, customer, subscription, session }
    }

    /// The payer's charges, newest first.
    pub async fn charges(&self, payer: &Payer) -> Vec<String> {
        let events = self.look("v1/events?limit=100&types[]=charge.succeeded").await;
        let charges = events["data"].as_array().unwrap().iter().map(|it| &it["data"]["object"]);
        let its = charges.filter(|charge| charge["customer"] == *payer.customer);
        its.map(|charge| charge["id"].as_str().unwrap().to_owned()).collect()
    }

    /// Refunds `cents` of a charge.
    pub async fn refund(&self, charge: &str, cents: i64) {
        let form = format!("charge={charge}&amount={cents}");
        let call = ("POST", "/stripe/v1/refunds");
        assert_eq!(send(&self.sim.origin(), call, FORM, &form).await.0, 200);
    }
}

impl Payer {
    /// The payer's current plan.
    pub async fn plan(&self) -> Value {
        self.caller.get("/api/account").await.ok()["subscription"].clone()
    }
}

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// Sends one request on a new connection. Returns its status and JSON.
pub async fn send(
    origin: &str,
    (method, path): (&str, &str),
    kind: &str,
    body: &str,
) -> (u16, Value) {
    let host = origin.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer sk_test\r\n\
         content-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut said = Vec::new();
    stream.read_to_end(&mut said).await.unwrap();
    let said = String::from_utf8(said).unwrap();
    let (head, body) = said.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}
