//! A running service, as one or several processes on the same database, and how to load and verify
//! it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde_json::{Value, json};

use crate::client::{Answered, Load, drive_all, once};
use crate::cost::{Total, numbers};
use crate::folder::Folder;
use crate::places::Places;
use crate::process::Process;
use crate::service::{Books, MODEL, PRICE, Ready};
use crate::{Fallible, picture};

/// The service's own metrics that an edit increases: their names in the metrics and in the results.
const NUMBERS: [(&str, &str); 3] = [
    ("transactions", "retouch_database_transactions_total"),
    ("reads", "retouch_database_reads_total"),
    ("image calls", "retouch_blob_calls_total"),
];

/// The size of large results, in bytes.
const LARGE_BYTES: u32 = 1_500_000;

/// A service with a new store.
pub(crate) struct Service {
    nodes: Vec<Node>,
    folder: PathBuf,
}

/// One of its processes.
struct Node {
    process: Process,
    ready: Ready,
}

/// The configuration of a service.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The approximate size of every edit's result, in bytes.
    pub(crate) bytes: u32,
    /// Processes that share one database.
    pub(crate) nodes: usize,
    /// Accounts that make calls.
    pub(crate) accounts: usize,
}

impl Service {
    /// Starts one process in `folder`, whose every edit returns an image of about `bytes`.
    pub(crate) fn start(folder: &Folder, bytes: u32) -> Fallible<Self> {
        let folder = folder.case()?;
        let results = results_in(&folder, bytes)?;
        let process = Process::role(&role(&folder.join("data"), &results, "1"))?;
        Ok(Self { nodes: vec![Node::ready(process)?], folder: folder.join("data") })
    }

    /// Starts one process with its data in `data`.
    pub(crate) fn start_in(data: &Path, shape: Shape) -> Fallible<Self> {
        std::fs::create_dir_all(data)?;
        let results = results_in(data, shape.bytes)?;
        let process = Process::role(&role(data, &results, &shape.accounts.to_string()))?;
        Ok(Self { nodes: vec![Node::ready(process)?], folder: data.to_owned() })
    }

    /// Starts a service of this shape that keeps its data in `places`.
    pub(crate) fn start_on(places: &Places, folder: &Folder, shape: Shape) -> Fallible<Self> {
        let folder = folder.case()?;
        let results = results_in(&folder, shape.bytes)?;
        let mut nodes = Vec::new();
        for number in 0..shape.nodes {
            // The first process creates the accounts, and the others find them.
            let accounts = if number == 0 { shape.accounts } else { 0 }.to_string();
            let data = folder.join(if number == 0 { "data".into() } else { format!("{number}") });
            let role = role(&data, &results, &accounts);
            nodes.push(Node::ready(Process::role_with(&role, &places.settings())?)?);
        }
        Ok(Self { nodes, folder: folder.join("data") })
    }

    /// Starts a service in `folder` whose edits are performed by the provider at `upstream`.
    pub(crate) fn in_front_of(folder: &Folder, upstream: &str) -> Fallible<Self> {
        let data = folder.case()?.join("data");
        let flag = OsStr::new;
        let role = [flag("service"), flag("--data"), data.as_ref(), flag("--upstream")];
        let process = Process::role(&[&role[..], &[upstream.as_ref()]].concat())?;
        Ok(Self { nodes: vec![Node::ready(process)?], folder: data })
    }

    /// The folder in which the first process keeps its data.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its first process.
    pub(crate) fn process(&self) -> Fallible<&Process> {
        Ok(&self.first()?.process)
    }

    /// What the first process reports once it is ready: its address, and the keys to the accounts.
    pub(crate) fn ready(&self) -> Fallible<&Ready> {
        Ok(&self.first()?.ready)
    }

    /// The metrics of the first process.
    pub(crate) fn numbers(&self) -> Fallible<String> {
        self.first()?.numbers()
    }

    /// The memory of a running call as a multiple of the bytes of its two images: the peak above
    /// rest, divided by `connections` calls.
    pub(crate) fn memory_per_call(&self, bytes: u32, connections: usize) -> Fallible<f64> {
        let rest_mb = self.first()?.ready.rest_mb;
        let grown_mb = self.memory_peak_mb()? - rest_mb;
        Ok(grown_mb * 1e6 / connections as f64 / (2.0 * f64::from(bytes)))
    }

    /// The highest memory use of any of its processes, in MB of 10^6 bytes.
    pub(crate) fn memory_peak_mb(&self) -> Fallible<f64> {
        let peaks = self.nodes.iter().map(|node| node.process.memory_mb("VmHWM"));
        Ok(peaks.collect::<Fallible<Vec<_>>>()?.into_iter().fold(0.0, f64::max))
    }

    /// The totals of all its processes so far.
    pub(crate) fn totals(&self) -> Fallible<Vec<Total>> {
        let mut cpu_s = 0.0;
        let mut counts = NUMBERS.map(|_| 0.0);
        for node in &self.nodes {
            cpu_s += node.process.cpu_s()?;
            let text = node.numbers()?;
            for (count, (_, number)) in counts.iter_mut().zip(NUMBERS) {
                *count += numbers::sum(&text, number);
            }
        }
        let mut totals = vec![Total::new("server's processor", "ms/edit", cpu_s * 1e3)];
        let counted = NUMBERS.iter().zip(counts);
        totals.extend(counted.map(|((name, _), count)| Total::new(name, "1/edit", count)));
        Ok(totals)
    }

    /// The request for an edit of a small image, to be repeated.
    pub(crate) fn load(&self, connections: usize, seconds: f64) -> Fallible<Load> {
        self.load_with(&picture::input()?, connections, seconds)
    }

    /// The request for an edit of `input`, to be repeated.
    pub(crate) fn load_with(
        &self,
        input: &[u8],
        connections: usize,
        seconds: f64,
    ) -> Fallible<Load> {
        let first = self.first()?;
        let key = first.ready.keys.first().ok_or("no key")?;
        Ok(Load { connections, seconds, ..first.edit(key, input) })
    }

    /// One load for each connection. They go through the processes and the accounts in turn, so
    /// that with as many accounts as connections, an account stays with a process.
    pub(crate) fn loads(&self, connections: usize, seconds: f64) -> Fallible<Vec<Load>> {
        let (input, keys) = (picture::input()?, &self.first()?.ready.keys);
        let turns = self.nodes.iter().cycle().zip(keys.iter().cycle());
        let loads = turns.map(|(node, key)| Load { seconds, ..node.edit(key, &input) });
        Ok(loads.take(connections).collect())
    }

    /// Puts `loads` on the service.
    pub(crate) fn drive(&self, loads: &[Load]) -> Fallible<Answered> {
        drive_all(loads)
    }

    /// The answer to one edit, checked: an image, and charged.
    pub(crate) fn answer(&self) -> Fallible<Vec<u8>> {
        let body = once(&self.load(1, 0.0)?)?;
        let answer: Value = serde_json::from_slice(&body)?;
        let picture = answer["data"][0]["url"].as_str().unwrap_or_default();
        if answer["cost"] != PRICE || !picture.starts_with("data:image/png;base64,") {
            return Err("the answer is not an image that was charged".into());
        }
        Ok(body)
    }

    /// Stops the service and checks that exactly the `answered` edits were charged.
    pub(crate) fn finish(self, answered: usize) -> Fallible<()> {
        let books = self.books()?;
        let charged: i64 = books.charged.iter().sum();
        if books.held != 0 || books.wrong != 0 || charged != i64::try_from(answered)? * PRICE {
            return Err(format!("{answered} edits were answered, but: {books:?}").into());
        }
        Ok(())
    }

    /// Stops the service, ending with the process that created the accounts. Returns the final
    /// ledger.
    pub(crate) fn books(self) -> Fallible<Books> {
        let mut nodes = self.nodes.into_iter();
        let mut first = nodes.next().ok_or("no node")?;
        nodes.try_for_each(|node| node.process.stop())?;
        first.process.ask_to_stop();
        first.process.said()
    }

    fn first(&self) -> Fallible<&Node> {
        self.nodes.first().ok_or_else(|| "no node".into())
    }
}

impl Node {
    fn ready(mut process: Process) -> Fallible<Self> {
        let ready = process.said()?;
        Ok(Self { process, ready })
    }

    fn numbers(&self) -> Fallible<String> {
        let address = self.ready.address;
        let request = Bytes::from(format!("GET /metrics HTTP/1.1\r\nhost: {address}\r\n\r\n"));
        let asked = Load { address, request, connections: 1, seconds: 0.0 };
        Ok(String::from_utf8(once(&asked)?)?)
    }

    fn edit(&self, key: &str, input: &[u8]) -> Load {
        let address = self.ready.address;
        let body = json!({
            "model": MODEL,
            "instruction": "make it warmer and add a white border",
            "imageBase64": base64_simd::STANDARD.encode_to_string(input),
        });
        let body = body.to_string();
        let request = format!(
            "POST /api/image-edit HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        Load { address, request: Bytes::from(request), connections: 1, seconds: 0.0 }
    }
}

fn role<'a>(data: &'a Path, results: &'a [PathBuf; 2], accounts: &'a str) -> [&'a OsStr; 9] {
    let flag = OsStr::new;
    let [result, large] = results.each_ref().map(|file| file.as_os_str());
    let [service, many, data_in] = ["service", "--accounts", "--data"].map(flag);
    let data = data.as_os_str();
    let (usual, other) = (flag("--result"), flag("--large"));
    [service, many, flag(accounts), data_in, data, usual, result, other, large]
}

/// Creates the two images that edits return, the usual one of about `bytes`.
fn results_in(folder: &Path, bytes: u32) -> Fallible<[PathBuf; 2]> {
    let results = ["result.png", "large.png"].map(|name| folder.join(name));
    for (file, bytes) in results.iter().zip([bytes, LARGE_BYTES]) {
        std::fs::write(file, picture::result(bytes)?)?;
    }
    Ok(results)
}
