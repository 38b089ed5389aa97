//! URLs that try to reach the private network: by their spelling, their scheme, or a redirect.

use std::net::SocketAddr;

use base64_simd::STANDARD;

use crate::row::{Row, Sender};

/// Spellings of this machine and of private networks. PORT is where the trap listens.
const INNER: [&str; 52] = [
    "http://127.0.0.1:PORT/a.png",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0x7f.1:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://017700000001:PORT/",
    "http://127.1:PORT/",
    "http://127.0.1:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://127.255.255.254:PORT/",
    "http://0:PORT/",
    "http://0.0.0.0:PORT/",
    "http://[::]:PORT/",
    "http://[::1]:PORT/",
    "http://[0:0:0:0:0:0:0:1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[::7f00:1]:PORT/",
    "http://[::ffff:0:127.0.0.1]:PORT/",
    "http://[64:ff9b::127.0.0.1]:PORT/",
    "http://[64:ff9b:1::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[2001:0:7f00:1::]:PORT/",
    "http://[2001:db8::5efe:7f00:1]:PORT/",
    "http://[2606:4700::5efe:7f00:1]:PORT/",
    "http://[fe80::1]:PORT/",
    "http://[fc00::1]:PORT/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[fd00:ec2::254]/latest",
    "http://localhost:PORT/",
    "http://LOCALHOST:PORT/",
    "http://localhost.:PORT/",
    "http://a.localhost:PORT/",
    "http://\u{ff11}\u{ff12}\u{ff17}.0.0.1:PORT/",
    "http://127\u{3002}0\u{3002}0\u{3002}1:PORT/",
    "http://\u{2460}\u{2461}\u{2466}.0.0.1:PORT/",
    "http://\u{24db}ocalhost:PORT/",
    "http://127.0.0.1\t:PORT/",
    "ht\ntp://127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT\\",
    "http:127.0.0.1:PORT",
    "http://user:password@127.0.0.1:PORT/",
    "http://example.com@127.0.0.1:PORT/",
    "http://127.0.0.1:PORT\\@example.com/",
    "http://127.0.0.1:PORT#@example.com/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://192.0.0.192/",
    "http://0xA9.0xFE.0xA9.0xFE/",
];

const MORE_INNER: [&str; 11] = [
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://198.18.0.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "https://127.0.0.1:PORT/",
    "http://127.0.0.77:0/",
    "http://1.1.1.1:25/",
    "http://1.1.1.1:6379/",
];

/// Texts that are not the URL of an image.
const UNREADABLE: [&str; 22] = [
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "gopher://127.0.0.1:PORT/_x",
    "ftp://127.0.0.1/",
    "dict://127.0.0.1:PORT/",
    "javascript:alert(1)",
    "blob:http://127.0.0.1/a",
    "jar:http://127.0.0.1!/",
    "unix:/run/socket",
    "//127.0.0.1:PORT/",
    "127.0.0.1:PORT",
    "/files/a.png",
    "http://",
    "http:///",
    "http://127.0.0.1:99999/",
    "http://127.0.0.1:-1/",
    "http://[fe80::1%25lo]:PORT/",
    "http://[::1%lo]:PORT/",
    "http://[::1/",
    "http://127.0.0.1%00.example.com/",
    "http://256.256.256.256/",
    "http://%zz/",
];

/// Where the hostile host redirects to.
const REDIRECTS: [&str; 11] = [
    "http://127.0.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://localhost:PORT/",
    "http://169.254.169.254/",
    "//127.0.0.1:PORT/",
    "http://user@127.0.0.1:PORT/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:PORT/",
    "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
    "http://[",
];

const MANNERS: [&str; 15] = [
    "nothing",
    "html",
    "no-content",
    "partial",
    "error",
    "compressed",
    "cut",
    "vast",
    "both",
    "no-location",
    "loop",
    "noise",
    "long-head",
    "endless",
    "silent",
];

pub(crate) fn rows(sender: &Sender, trap_port: u16, host: SocketAddr) -> Vec<Row> {
    let trapped = |text: &str| text.replace("PORT", &trap_port.to_string());
    let inner = INNER.iter().chain(&MORE_INNER);
    let mut rows: Vec<Row> =
        inner.map(|text| sender.url(&trapped(text), "image_fetch_failed")).collect();
    rows.extend(UNREADABLE.iter().map(|text| sender.url(&trapped(text), "invalid_value")));
    rows.extend(REDIRECTS.iter().map(|target| {
        let target = STANDARD.encode_to_string(target).replace('/', "_");
        sender.url(&format!("http://{host}/to/{target}"), "image_fetch_failed")
    }));
    rows.extend(MANNERS.iter().map(|path| {
        let code = if matches!(*path, "nothing" | "html") {
            "invalid_image"
        } else {
            "image_fetch_failed"
        };
        sender.url(&format!("http://{host}/{path}"), code)
    }));
    rows
}
