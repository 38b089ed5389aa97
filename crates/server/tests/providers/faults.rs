//! Every fault at every provider: the right answer, no charge without a stored result, no hold
//! left, and the next call works.

use futures_util::{StreamExt, stream};
use retouch_sim::FaultName;

use crate::service::{PROVIDER_TIME_MAX, Service};
use crate::table::{self, End, FAULTS, TestedProvider};

/// Credits that an edit costs.
const PRICE: i64 = 6;
/// Faults that a test tries at the same time. Most of them only wait.
const AT_ONCE: usize = 6;

/// The settings of the service for a fault. On a busy machine, a gigabyte takes a while, and so does a
/// second try.
fn settings(fault: FaultName) -> &'static [(&'static str, &'static str)] {
    match fault {
        FaultName::OversizedBody | FaultName::Throttle | FaultName::Overloaded => {
            &[(PROVIDER_TIME_MAX, "60 s")]
        }
        _ => &[],
    }
}

async fn every_fault(tested: TestedProvider) {
    let tested = &tested;
    let wrong = wrong_faults(|fault, usual| async move {
        let expected = tested.expected(fault, usual);
        let tried = one_fault(tested, fault, expected).await;
        tried.map_err(|found| format!("expected {expected:?}, {found}"))
    });
    let wrong = wrong.await;
    assert!(wrong.is_empty(), "{}:\n{wrong}", tested.provider);
}

/// Tries all faults, several at the same time, and returns what is wrong with each, one per line.
async fn wrong_faults<F>(check: impl Fn(FaultName, End) -> F) -> String
where
    F: Future<Output = Result<(), String>>,
{
    let tried = stream::iter(FAULTS).map(|(fault, usual)| {
        let checked = check(*fault, *usual);
        async move { checked.await.err().map(|found| format!("{fault:?}: {found}\n")) }
    });
    tried.buffered(AT_ONCE).filter_map(std::future::ready).collect().await
}

/// Uses a new service for each fault, so that no fault leaves the provider paused for the next.
async fn one_fault(tested: &TestedProvider, fault: FaultName, expected: End) -> Result<(), String> {
    let service = Service::with(&[tested], settings(fault)).await;
    let (before, _) = service.credits().await;
    service.plan(tested, fault);
    let (status, body) = service.edit(&format!("add a hat for {fault:?}")).await;
    let (after, held) = service.credits().await;
    let found = match (status.as_u16(), body["error"]["code"].as_str()) {
        (200, _) => match body["warnings"].as_array().and_then(|all| {
            all.iter().find_map(|it| it["code"].as_str().filter(|code| *code == "extra_results"))
        }) {
            Some(_) => End::PaidWith("extra_results"),
            None => End::Paid,
        },
        (status, code) => End::Error(status, code.unwrap_or("none").to_owned().leak()),
    };
    if found != expected {
        return Err(format!("found {found:?}: {}", shown(&body)));
    }
    let price = if matches!(found, End::Error(..)) { 0 } else { PRICE };
    if (before - after, held) != (price, 0) {
        return Err(format!("{} credits were charged and {held} are held", before - after));
    }
    let worked = service.worked("add a hat");
    if worked > 1 {
        return Err(format!("the work was ordered {worked} times"));
    }
    service.forget();
    let (status, body) = service.edit("add a scarf").await;
    if status.as_u16() != 200 {
        return Err(format!("the next call: {status} {}", shown(&body)));
    }
    service.check().await;
    Ok(())
}

fn shown(body: &serde_json::Value) -> String {
    body.to_string().chars().take(300).collect()
}

/// A fault at the first of two providers: the second is tried only if the first did no work, and
/// nothing is paid twice.
async fn with_another_behind(fault: FaultName, usual: End) -> Result<(), String> {
    let [first, second] = [&table::OPENAI, &table::GEMINI];
    let service = Service::with(&[first, second], settings(fault)).await;
    let (before, _) = service.credits().await;
    service.plan(first, fault);
    let (status, body) = service.edit("add a hat").await;
    let (after, held) = service.credits().await;
    let is_done = status.as_u16() == 200;
    let provider = body["generation"]["provider"].as_str().unwrap_or("none");
    let worked = service.worked("add a hat");
    let expected = match fault {
        FaultName::BadKey
        | FaultName::NoCredit
        | FaultName::UnknownModel
        | FaultName::Throttle
        | FaultName::Overloaded => second.provider,
        _ => match first.expected(fault, usual) {
            End::Error(..) => "none",
            End::Paid | End::PaidWith(_) => first.provider,
        },
    };
    let price = if is_done { PRICE } else { 0 };
    if provider != expected || (before - after, held) != (price, 0) || worked > 1 {
        let (charged, body) = (before - after, shown(&body));
        return Err(format!(
            "expected {expected}, done by {provider}, {charged} charged, {held} held, worked \
             {worked} times: {body}"
        ));
    }
    service.check().await;
    Ok(())
}

#[tokio::test]
#[ignore = "slow: every fault waits for its time limit"]
async fn a_second_provider_is_asked_only_where_the_first_did_nothing() {
    let wrong = wrong_faults(with_another_behind).await;
    assert!(wrong.is_empty(), "{wrong}");
}

macro_rules! providers {
    ($($name:ident $row:ident)+) => {$(
        #[tokio::test]
        #[ignore = "slow: every fault waits for its time limit"]
        async fn $name() {
            every_fault(table::$row).await;
        }
    )+};
}

providers! {
    openai OPENAI
    azure AZURE
    vllm VLLM
    sglang SGLANG
    sdcpp SDCPP
    gemini GEMINI
    ark ARK
    dashscope DASHSCOPE
    fal FAL
    replicate REPLICATE
    bfl BFL
    comfyui COMFYUI
}
