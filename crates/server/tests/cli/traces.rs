//! Traces from the real binary, received by a collector of the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Attribute;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value, json};

use super::serve::{Server, bearer};
use super::{Folder, REFUSING};

/// A PNG of one pixel.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/// Makes a result that is stored as a file, because it is too large to be a row of the database.
const INSTRUCTION: &str = "make it grey, resize it to 500x500 pixels, then add grain of 80%";
/// The caller's trace ID, and its span.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// A request that a collector received: its head and body.
type Sent = (String, Vec<u8>);

/// The address of a collector that accepts everything, and the requests it receives.
fn collector() -> (String, mpsc::Receiver<Sent>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, sent) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let sender = sender.clone();
            std::thread::spawn(move || take(stream.unwrap(), &sender));
        }
    });
    (address, sent)
}

/// Answers the requests of one connection.
fn take(stream: TcpStream, sender: &mpsc::Sender<Sent>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        writer.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
        // The test may have stopped receiving.
        let _ = sender.send((head, body));
    }
}

/// A service in `folder` that sends traces to the collector at `address`, and a key for it.
fn traced(folder: &Folder, address: &str, sampled_percent: &str) -> (Server, String) {
    folder.account("ada@example.com");
    let create = ["key", "create", "--account", "ada@example.com", "--name", "laptop", "--json"];
    let key = folder.json(&create)["key"].as_str().unwrap().to_owned();
    let mut command = folder.command(&["serve"]);
    command.env("RETOUCH_TRACES__ENDPOINT", address);
    command.env("RETOUCH_TRACES__SAMPLED_PERCENT", sampled_percent);
    command.env("RETOUCH_TRACES__HEADERS", "authorization=Bearer hunter2, x-tenant=pictures");
    command.env("RETOUCH_SERVER__NODE_NAME", "node-7");
    command.env("RETOUCH_LOG__LEVEL", "debug");
    command.env("RETOUCH_LOG__FORMAT", "json");
    (Server::start(command), key)
}

/// Edits an image as part of a trace of the caller.
fn edit(server: &Server, key: &str, state: &str) -> Value {
    let trace = format!("traceparent: 00-{TRACE}-{PARENT}-01");
    let head = [bearer(key), trace, format!("tracestate: {state}")];
    let asked = json!({ "instruction": INSTRUCTION, "imageBase64": PICTURE });
    let answer = server.answer("POST /api/image-edit", &head, &asked);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 "), "{answer}");
    serde_json::from_str(body).unwrap()
}

/// Stops the service gracefully. Returns what it wrote to standard error.
fn stop(mut server: Server) -> String {
    let id = rustix::process::Pid::from_raw(i32::try_from(server.process.id()).unwrap()).unwrap();
    let mut log = server.process.stderr.take().unwrap();
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert!(server.process.wait().unwrap().success());
    reading.join().unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The value of an attribute; empty if it is missing.
fn attribute(span: &Span, name: &str) -> String {
    let found = span.attributes.iter().find(|it| it.key == name);
    match found.and_then(|it| it.value.as_ref()).and_then(|it| it.value.as_ref()) {
        Some(Attribute::StringValue(text)) => text.clone(),
        Some(Attribute::IntValue(number)) => number.to_string(),
        _ => String::new(),
    }
}

#[test]
fn the_steps_of_an_edit_are_one_trace_which_the_caller_began() {
    let (folder, (address, sent)) = (Folder::new(), collector());
    let (server, key) = traced(&folder, &address, "100");
    let edited = edit(&server, &key, "vendor=whatever-the-caller-says");
    let log = stop(server);
    let sent: Vec<Sent> = sent.try_iter().collect();
    let mut spans = Vec::new();
    for (head, body) in &sent {
        assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{head}");
        assert!(head.contains("authorization: Bearer hunter2\r\n"), "{head}");
        assert!(head.contains("x-tenant: pictures\r\n"), "{head}");
        let request = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
        let said = format!("{request:?}");
        for theirs in ["grey", "whatever", "ada@", &key, "hunter2"] {
            assert!(!said.contains(theirs), "a trace contains {theirs}: {said}");
        }
        assert!(said.contains("node-7") && said.contains("\"retouch\""), "{said}");
        let scopes = request.resource_spans.into_iter().flat_map(|it| it.scope_spans);
        spans.extend(scopes.flat_map(|it| it.spans));
    }
    let found = |name: &str| {
        let found = spans.iter().find(|span| span.name == name);
        found.unwrap_or_else(|| panic!("no span {name} in {spans:#?}"))
    };
    let (call, edit) = (found("POST /api/image-edit"), found("edit"));
    assert_eq!(hex(&call.parent_span_id), PARENT);
    assert_eq!(edit.parent_span_id, call.span_id);
    assert_eq!(attribute(call, "http.response.status_code"), "200");
    assert_eq!(attribute(edit, "retouch.generation"), edited["generation"]["uuid"]);
    for step in ["open", "wait", "inputs", "attempt", "store_result", "close"] {
        assert_eq!(found(step).parent_span_id, edit.span_id, "{step}");
    }
    assert_eq!(attribute(found("attempt"), "retouch.provider"), "built-in");
    assert_eq!(attribute(found("attempt"), "retouch.outcome"), "done");
    assert_eq!(attribute(found("close"), "retouch.outcome"), "done");
    assert!(found("database_write").parent_span_id != Vec::<u8>::new());
    for span in &spans {
        assert_eq!(hex(&span.trace_id), TRACE, "nothing else is traced: {}", span.name);
    }
    lines_of_the_log(&log);
}

/// Every line is JSON, and the lines of a call contain its request ID and trace.
fn lines_of_the_log(log: &str) {
    let lines = log.lines().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines {
        for field in ["timestamp", "level", "target"] {
            assert!(line[field].is_string(), "{field} is missing: {line}");
        }
        assert!(line["fields"]["message"].is_string(), "{line}");
    }
    let answered = lines.iter().find(|line| line["fields"]["route"] == "/api/image-edit").unwrap();
    assert!(answered["span"]["request_id"].as_str().unwrap().starts_with("req_"), "{answered}");
    assert_eq!(answered["span"]["trace_id"], TRACE, "{answered}");
    assert_eq!(answered["spans"].as_array().unwrap().len(), 1, "the log leaves out steps");
}

#[test]
fn nobody_decides_to_be_traced() {
    let (folder, (address, sent)) = (Folder::new(), collector());
    let (server, key) = traced(&folder, &address, "0");
    edit(&server, &key, "a=b");
    stop(server);
    assert_eq!(sent.try_iter().count(), 0);
}

#[test]
fn a_collector_that_does_not_answer_delays_neither_calls_nor_the_end() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", listener.local_addr().unwrap());
    let folder = Folder::new();
    let (server, key) = traced(&folder, &silent, "100");
    for _ in 0..2 {
        edit(&server, &key, "a=b");
    }
    let began = std::time::Instant::now();
    stop(server);
    assert!(began.elapsed().as_secs() < 15, "{:?}", began.elapsed());
    drop(listener);
}

#[test]
fn a_collector_that_is_gone_is_told_of_once() {
    let folder = Folder::new();
    let (server, key) = traced(&folder, &format!("http://{REFUSING}"), "100");
    edit(&server, &key, "a=b");
    let log = stop(server);
    assert_eq!(log.matches("cannot send traces to the collector").count(), 1, "{log}");
    assert!(!log.contains("hunter2"), "{log}");
}
