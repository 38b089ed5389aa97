//! An S3 server for tests: `s3s-fs`, which verifies the signature of every call and keeps the
//! objects as files. `tests/s3/run` starts it.
//!
//! `s3 FOLDER ACCESS_KEY SECRET_KEY` serves each folder in FOLDER as a bucket, on a free port of the
//! loopback address. It prints its URL and runs until it is killed.

#![expect(clippy::print_stdout, reason = "the caller reads the URL")]

use std::error::Error;
use std::io::Write;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, access_key, secret_key] = &arguments[..] else {
        return Err("usage: s3 FOLDER ACCESS_KEY SECRET_KEY".into());
    };
    let files = FileSystem::new(folder).map_err(|error| format!("{folder}: {error:?}"))?;
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(access_key.clone(), secret_key.as_str()));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    std::io::stdout().flush()?;
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await?;
        let service = service.clone();
        connections.spawn(async move {
            let server = auto::Builder::new(TokioExecutor::new());
            // A client that hangs up is not an error here.
            let _ = server.serve_connection(TokioIo::new(stream), service).await;
        });
        while connections.try_join_next().is_some() {}
    }
}
