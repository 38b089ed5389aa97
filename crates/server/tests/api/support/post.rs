//! An SMTP server on a real socket (RFC 5321), which keeps the emails it accepts.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with the next email.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Answers the recipient with this reply.
    Says(&'static str),
    /// Answers the message with this reply.
    SaysOfLetter(&'static str),
    /// Stops answering.
    Hangs,
    /// Sends this greeting.
    Greets(&'static str),
}

/// An email that was accepted.
#[derive(Clone, Debug)]
pub struct Taken {
    pub from: String,
    pub to: String,
    /// Headers and body, as they arrived.
    pub text: String,
}

impl Taken {
    /// The header `name`, which must be there exactly once.
    pub fn header(&self, name: &str) -> &str {
        let head = self.text.split("\r\n\r\n").next().unwrap();
        let start = format!("{}: ", name.to_lowercase());
        let mut found = head.split("\r\n").filter(|line| line.to_lowercase().starts_with(&start));
        let line = found.next().unwrap_or_else(|| panic!("no {name}: {head}"));
        assert!(found.next().is_none(), "{name} appears twice: {head}");
        &line[start.len()..]
    }

    /// The path and query of the email's link to `path`.
    pub fn link(&self, path: &str) -> String {
        let start = self.text.find(&format!("{path}?token="));
        let start = start.unwrap_or_else(|| panic!("no link to {path}: {}", self.text));
        self.text[start..].split_whitespace().next().unwrap().to_owned()
    }

    /// The token in that link.
    pub fn token(&self, path: &str) -> String {
        self.link(path).split_once("token=").unwrap().1.to_owned()
    }
}

/// The server.
#[derive(Clone)]
pub struct Post {
    pub address: SocketAddr,
    kept: Arc<Mutex<Vec<Taken>>>,
    moods: Arc<Mutex<VecDeque<Mood>>>,
}

impl Post {
    /// A server that accepts everything.
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let post = Self { address, kept: Arc::default(), moods: Arc::default() };
        let office = post.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(office.clone().talk(stream));
            }
        });
        post
    }

    /// Its URL, as in the settings.
    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// Sets what it does with the next emails, one entry for each.
    pub fn will(&self, moods: &[Mood]) {
        self.moods.lock().unwrap().extend(moods);
    }

    /// The emails that it has accepted since the last call.
    pub fn take(&self) -> Vec<Taken> {
        std::mem::take(&mut self.kept.lock().unwrap())
    }

    async fn talk(self, stream: TcpStream) {
        let mood = self.moods.lock().unwrap().pop_front();
        let mut stream = BufReader::new(stream);
        let greeting = match mood {
            Some(Mood::Greets(text)) => text,
            _ => "220 post.example ESMTP",
        };
        say(&mut stream, greeting).await;
        let mut taken = Taken { from: String::new(), to: String::new(), text: String::new() };
        while let Some(line) = hear(&mut stream).await {
            let answer = match line.split(' ').next().unwrap_or_default() {
                "EHLO" => "250-post.example\r\n250 8BITMIME",
                "MAIL" => {
                    taken.from = between(&line);
                    "250 ok"
                }
                "RCPT" => match mood {
                    Some(Mood::Hangs) => std::future::pending().await,
                    Some(Mood::Says(text)) => text,
                    _ => {
                        taken.to = between(&line);
                        "250 ok"
                    }
                },
                "DATA" => {
                    say(&mut stream, "354 go on").await;
                    taken.text = message(&mut stream).await;
                    match mood {
                        Some(Mood::SaysOfLetter(text)) => text,
                        _ => {
                            self.kept.lock().unwrap().push(taken.clone());
                            "250 taken"
                        }
                    }
                }
                "QUIT" => {
                    say(&mut stream, "221 bye").await;
                    return;
                }
                _ => "502 what?",
            };
            say(&mut stream, answer).await;
        }
    }
}

fn between(line: &str) -> String {
    let inside = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inside.unwrap_or_else(|| panic!("no address: {line}")).0.to_owned()
}

async fn message(stream: &mut BufReader<TcpStream>) -> String {
    let mut text = String::new();
    while let Some(line) = hear(stream).await {
        if line == "." {
            break;
        }
        // The client doubled a dot at the start of a line (RFC 5321, section 4.5.2).
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
        text.push_str("\r\n");
    }
    text
}

async fn hear(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    let read = stream.read_line(&mut line).await.unwrap_or(0);
    (read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}

/// A client that has hung up gets no reply.
async fn say(stream: &mut BufReader<TcpStream>, text: &str) {
    let _ = stream.get_mut().write_all(format!("{text}\r\n").as_bytes()).await;
}
