//! What the section `[traces]` accepts.

use super::{load, refused};

const COLLECTOR: (&str, &str) = ("RETOUCH_TRACES__ENDPOINT", "http://127.0.0.1:4318");

#[test]
fn without_a_collector_nothing_is_traced() {
    assert!(load(&[]).unwrap().traces.is_none());
    assert!(load(&[("RETOUCH_TRACES__HEADERS", "a=b")]).unwrap().traces.is_none());
}

#[test]
fn a_collector_is_sent_traces_where_it_takes_them() {
    let endpoint = |text| {
        let traces = load(&[("RETOUCH_TRACES__ENDPOINT", text)]).unwrap().traces.unwrap();
        traces.endpoint.to_string()
    };
    assert_eq!(endpoint("http://127.0.0.1:4318"), "http://127.0.0.1:4318/v1/traces");
    assert_eq!(
        endpoint("https://otlp.example.com/in/traces"),
        "https://otlp.example.com/in/traces"
    );
}

#[test]
fn headers_are_pairs_and_are_not_repeated() {
    let headers = ("RETOUCH_TRACES__HEADERS", " authorization = Basic YTpi== , x-tenant=one");
    let traces = load(&[COLLECTOR, headers]).unwrap().traces.unwrap();
    let shown: Vec<_> =
        traces.headers.iter().map(|(name, value)| (name.as_str(), value.reveal())).collect();
    assert_eq!(shown, [("authorization", "Basic YTpi=="), ("x-tenant", "one")]);
    assert!(!format!("{traces:?}").contains("YTpi"));
    for bad in ["s3cret", "a b=s3cret", "a=s3cret\u{7}"] {
        let said = refused(&[COLLECTOR, ("RETOUCH_TRACES__HEADERS", bad)]);
        assert!(said.contains("traces.headers") && !said.contains("s3cret"), "{said}");
    }
}

#[test]
fn what_is_no_collector_is_refused() {
    for endpoint in ["127.0.0.1:4318", "grpc://localhost", "http://ada:word@localhost"] {
        assert!(refused(&[("RETOUCH_TRACES__ENDPOINT", endpoint)]).contains("traces.endpoint"));
    }
    assert!(refused(&[COLLECTOR, ("RETOUCH_TRACES__SAMPLED_PERCENT", "101")]).contains("percent"));
    assert!(refused(&[COLLECTOR, ("RETOUCH_TRACES__SERVICE_NAME", "")]).contains("service_name"));
}
