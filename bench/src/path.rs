//! Edits over HTTP, from the request to the stored and charged result.

use std::ffi::OsStr;

use bytes::Bytes;
use serde_json::{Value, json};

use crate::arguments::Plan;
use crate::client::{Answered, Load, drive, once};
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::process::Process;
use crate::service::{Books, MODEL, PRICE, Ready};
use crate::{Fallible, picture};

/// The results that are measured: their name, their size in bytes, and the edits a second that 16
/// connections are to get (issue 2, item 14).
pub(crate) const RESULTS: [(&str, u32, f64); 2] =
    [("8 KB", 8_000, 3_000.0), ("1.5 MB", 1_500_000, 150.0)];
/// Connections in the two cases.
const CONNECTIONS: [usize; 2] = [1, 16];
/// The part of a case's time that is spent before measuring begins, so that caches, pools and the
/// database's log have their usual size.
const WARM_UP: f64 = 0.2;

/// Measures each size of result at each number of connections.
///
/// # Errors
/// When a call fails, or the books do not show every call charged exactly once.
pub(crate) fn measure(plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
    let mut figures = Vec::new();
    for result in RESULTS {
        for connections in CONNECTIONS {
            figures.extend(case((plan, folder), result, connections)?);
        }
    }
    Ok(figures)
}

fn case(
    (plan, folder): (&Plan, &Folder),
    result: (&str, u32, f64),
    connections: usize,
) -> Fallible<Vec<Figure>> {
    let (name, bytes, least) = result;
    let service = Service::start(folder, bytes)?;
    let load = service.load(connections, plan.seconds)?;
    let warm_up = service.drive(&Load { seconds: plan.seconds * WARM_UP, ..load.clone() })?;
    let cpu_s = service.process.cpu_s()?;
    let answered = service.drive(&load)?;
    let cpu_s = service.process.cpu_s()? - cpu_s;
    let memory = service.process.memory_mb("VmHWM")?;
    service.finish(warm_up.waits.count() + answered.waits.count())?;
    let count = answered.waits.count() as f64;
    let title = format!("{name}, {connections} at once");
    let figure = |name, value, unit| Figure::new(("path", &title), name, value, unit);
    let mark = (connections > 1).then_some(Mark::AtLeast(least));
    Ok(vec![
        figure("edits", count / answered.took_s, "1/s").against(mark),
        figure("p50", answered.waits.at_ms(0.5), "ms"),
        figure("p99", answered.waits.at_ms(0.99), "ms"),
        figure("server's processor", cpu_s * 1e3 / count, "ms/edit"),
        figure("server's peak memory", memory, "MB"),
    ])
}

/// A running service with a fresh store.
pub(crate) struct Service {
    process: Process,
    ready: Ready,
}

impl Service {
    /// Starts one in `folder`, whose every edit results in a picture of about `bytes`.
    pub(crate) fn start(folder: &Folder, bytes: u32) -> Fallible<Self> {
        let folder = folder.case()?;
        let (data, result) = (folder.join("data"), folder.join("result.png"));
        std::fs::write(&result, picture::result(bytes)?)?;
        let flag = OsStr::new;
        let role = [flag("service"), flag("--data"), data.as_ref(), flag("--result")];
        let mut process = Process::role(&[&role[..], &[result.as_ref()]].concat())?;
        let ready = process.said()?;
        Ok(Self { process, ready })
    }

    /// Starts one in `folder` whose edits are performed by the vendor at `upstream`.
    pub(crate) fn in_front_of(folder: &Folder, upstream: &str) -> Fallible<Self> {
        let data = folder.case()?.join("data");
        let flag = OsStr::new;
        let role = [flag("service"), flag("--data"), data.as_ref(), flag("--upstream")];
        let mut process = Process::role(&[&role[..], &[upstream.as_ref()]].concat())?;
        let ready = process.said()?;
        Ok(Self { process, ready })
    }

    /// How many times the bytes of its two pictures a call under way takes in memory: the peak
    /// above rest, shared among `connections` calls.
    pub(crate) fn memory_per_call(&self, bytes: u32, connections: usize) -> Fallible<f64> {
        let grown_mb = self.process.memory_mb("VmHWM")? - self.ready.rest_mb;
        Ok(grown_mb * 1e6 / connections as f64 / (2.0 * f64::from(bytes)))
    }

    /// The request for an edit of a small picture, to be sent over and over.
    pub(crate) fn load(&self, connections: usize, seconds: f64) -> Fallible<Load> {
        self.load_with(&picture::input()?, connections, seconds)
    }

    /// The same for an edit of `input`.
    pub(crate) fn load_with(
        &self,
        input: &[u8],
        connections: usize,
        seconds: f64,
    ) -> Fallible<Load> {
        let picture = base64_simd::STANDARD.encode_to_string(input);
        let body = json!({
            "model": MODEL,
            "instruction": "make it warmer and add a white border",
            "imageBase64": picture,
        });
        let body = body.to_string();
        let Ready { address, key, .. } = &self.ready;
        let request = format!(
            "POST /api/image-edit HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        Ok(Load { address: *address, request: Bytes::from(request), connections, seconds })
    }

    /// Puts `load` on it.
    pub(crate) fn drive(&self, load: &Load) -> Fallible<Answered> {
        drive(load)
    }

    /// One edit's answer, looked at: a picture, paid for.
    pub(crate) fn answer(&self) -> Fallible<Vec<u8>> {
        let body = once(&self.load(1, 0.0)?)?;
        let answer: Value = serde_json::from_slice(&body)?;
        let picture = answer["data"][0]["url"].as_str().unwrap_or_default();
        if answer["cost"] != PRICE || !picture.starts_with("data:image/png;base64,") {
            return Err("the answer is not a picture that was paid for".into());
        }
        Ok(body)
    }

    /// Stops it, and sees whether exactly the `answered` edits were charged.
    pub(crate) fn finish(mut self, answered: usize) -> Fallible<()> {
        self.process.ask_to_stop();
        let books: Books = self.process.said()?;
        if books.held != 0 || books.wrong != 0 || books.charged != i64::try_from(answered)? * PRICE
        {
            return Err(format!("{answered} edits were answered, but: {books:?}").into());
        }
        Ok(())
    }
}
