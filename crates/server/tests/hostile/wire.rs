//! Requests that are hardly HTTP, lie about their length, or never end.

use crate::http::{self, bearer};
use crate::row::{Row, Sender, Wanted};

/// The maximum size of a body, in bytes: the default of `server.body_size_max`.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

pub(crate) fn rows(sender: &Sender) -> Vec<Row> {
    let mut rows = lengths(sender);
    rows.extend(framing(sender));
    rows.extend(heads());
    rows.extend(hosts());
    rows.extend(targets(sender));
    rows
}

/// The head of an edit with these lines, and then `rest`.
fn edit(sender: &Sender, lines: &[&str], rest: &[u8]) -> Vec<u8> {
    let mut headers = vec![bearer(&sender.key), "Content-Type: application/json".to_owned()];
    headers.extend(lines.iter().map(|line| (*line).to_owned()));
    [&http::request("POST /api/image-edit", &headers, None), rest].concat()
}

fn lengths(sender: &Sender) -> Vec<Row> {
    let declared = |length: usize| format!("Content-Length: {length}");
    let too_large = Wanted::Error(413, "body_too_large");
    let over = edit(sender, &[&declared(BODY_BYTES_MAX + 1)], b"");
    let really_over =
        edit(sender, &[&declared(BODY_BYTES_MAX + 1)], &vec![b' '; BODY_BYTES_MAX + 1]);
    let one_mebibyte = [b"100000\r\n", vec![b' '; 1 << 20].as_slice(), b"\r\n"].concat();
    let endless = edit(sender, &["Transfer-Encoding: chunked"], &one_mebibyte.repeat(66));
    let cut = Wanted::Error(400, "invalid_json");
    let all_spaces = edit(sender, &[&declared(BODY_BYTES_MAX)], &vec![b' '; BODY_BYTES_MAX]);
    vec![
        Row::raw("64 MiB and one declared", over, too_large),
        Row::raw("64 MiB and one sent", really_over, too_large),
        Row::raw("64 MiB of spaces", all_spaces, cut),
        Row::raw("chunks without end", endless, Wanted::Refused),
        Row::raw(
            "a length that is too short",
            edit(sender, &["Content-Length: 5"], b"{\"n\":1}"),
            cut,
        ),
        Row::raw(
            "a length that is too long",
            edit(sender, &["Content-Length: 50"], b"{\"n\":1}"),
            cut,
        ),
        Row::raw("a body that never comes", edit(sender, &["Content-Length: 50"], b""), cut),
        Row::raw(
            "chunks that end early",
            edit(sender, &["Transfer-Encoding: chunked"], b"5\r\n{\"n"),
            cut,
        ),
        Row::raw("no length", edit(sender, &[], b""), cut),
        Row::raw(
            "2^64",
            edit(sender, &["Content-Length: 18446744073709551616"], b""),
            Wanted::Refused,
        ),
        Row::raw(
            "2^64 - 1",
            edit(sender, &["Content-Length: 18446744073709551615"], b""),
            Wanted::Refused,
        ),
    ]
}

fn framing(sender: &Sender) -> Vec<Row> {
    let odd = |lines: &[&str], rest: &[u8]| {
        let name = format!("{lines:?} {:.30}", String::from_utf8_lossy(rest));
        Row::raw(name, edit(sender, lines, rest), Wanted::Refused)
    };
    let chunked = "Transfer-Encoding: chunked";
    let smuggled = b"0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    vec![
        odd(&["Content-Length: -1"], b""),
        odd(&["Content-Length: +5"], b"{   }"),
        odd(&["Content-Length: 0x5"], b"{   }"),
        odd(&["Content-Length: five"], b"{   }"),
        odd(&["Content-Length: 5, 6"], b"{   }"),
        odd(&["Content-Length: 5", "Content-Length: 6"], b"{   }"),
        odd(&["Content-Length: 5", chunked], smuggled),
        odd(&[chunked, "Content-Length: 5"], smuggled),
        odd(&["Transfer-Encoding: identity"], b"{   }"),
        odd(&["Transfer-Encoding: chunked, identity"], smuggled),
        odd(&["Transfer-Encoding: xchunked"], smuggled),
        odd(&["Transfer-Encoding : chunked"], smuggled),
        odd(&["Transfer-Encoding: chunked", "Transfer-Encoding: x"], smuggled),
        odd(&["Transfer-Encoding:\x0bchunked"], smuggled),
        odd(&[chunked], b"FFFFFFFFFFFFFFFFF\r\n"),
        odd(&[chunked], b"-1\r\n"),
        odd(&[chunked], b"x\r\n"),
        odd(&[chunked], b"2\r\n{}X"),
        odd(&[chunked], &[b"2;".as_slice(), &vec![b'e'; 1_000_000]].concat()),
        odd(&[chunked], &[b"0\r\n".as_slice(), &b"t: t\r\n".repeat(200_000)].concat()),
        odd(&["Content-Encoding: gzip", "Content-Length: 2"], b"\x1f\x8b"),
        odd(&["Expect: 100-continue", "Content-Length: 67108865"], b""),
    ]
}

fn heads() -> Vec<Row> {
    let refused = |name: &str, bytes: &[u8]| Row::raw(name, bytes, Wanted::Refused);
    let with = |line: &str| format!("GET /api/credits HTTP/1.1\r\nHost: a\r\n{line}\r\n\r\n");
    let long = "a".repeat(1_000_000);
    let many: String = (0..2_000).map(|number| format!("h{number}: v\r\n")).collect();
    vec![
        refused("HTTP/0.9", b"GET /\r\n\r\n"),
        refused("HTTP/3.7", b"GET / HTTP/3.7\r\n\r\n"),
        refused("no version", b"GET /api/credits\r\nHost: a\r\n\r\n"),
        refused("noise", b"\x80\x81\x82\x83\r\n\r\n"),
        refused("a TLS client hello", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n"),
        refused("another protocol", b"SSH-2.0-OpenSSH_9.2\r\n\r\n"),
        refused(
            "HTTP/2 and noise",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        ),
        refused("blank lines", &b"\r\n".repeat(500_000)),
        refused("an incomplete head", b"GET /api/credits HTTP/1.1\r\nHost: a\r\nX-Slow: "),
        refused("an incomplete request line", b"GE"),
        refused("a long method", format!("{long} / HTTP/1.1\r\n\r\n").as_bytes()),
        refused("a long path", format!("GET /{long} HTTP/1.1\r\n\r\n").as_bytes()),
        refused("a long header", with(&format!("X: {long}")).as_bytes()),
        Row::raw(
            "a head that just fits",
            with(&format!("X: {}", "a".repeat(130_000))),
            Wanted::Error(401, "unauthenticated"),
        ),
        Row::raw(
            "a head that does not",
            // The limit is checked between two reads, which may be as large.
            with(&format!("X: {}", "a".repeat(264_000))),
            Wanted::Error(431, ""),
        ),
        refused("a long name", with(&format!("{long}: x")).as_bytes()),
        refused("a long cookie", with(&format!("Cookie: {long}")).as_bytes()),
        refused("many headers", with(&many).as_bytes()),
        refused("a NUL in a header", with("X: a\0b").as_bytes()),
        refused("a bare carriage return", with("X: a\rb: c").as_bytes()),
        refused("a space in a name", with("X Y: a").as_bytes()),
        refused("an empty name", with(": a").as_bytes()),
        refused("a folded line", with("X: a\r\n b").as_bytes()),
        refused("a path with a space", b"GET /api/ credits HTTP/1.1\r\nHost: a\r\n\r\n"),
        refused("a path with a NUL", b"GET /api\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]
}

/// Requests about whose target two servers could disagree (RFC 9112, section 3.2).
fn hosts() -> Vec<Row> {
    let wrong = Wanted::Error(400, "invalid_value");
    let with = |lines: &str| format!("GET /api/models HTTP/1.1\r\n{lines}\r\n");
    vec![
        Row::raw("no host", with(""), wrong),
        Row::raw("two hosts", with("Host: a\r\nHost: b\r\n"), wrong),
        Row::raw("one host twice", with("Host: a\r\nHost: a\r\n"), wrong),
        Row::raw("two hosts in one", with("Host: a, b\r\n"), wrong),
        Row::raw("a host with a user", with("Host: u@a\r\n"), wrong),
        Row::raw("a host with a path", with("Host: a/b\r\n"), wrong),
    ]
}

/// Invalid methods and paths.
fn targets(sender: &Sender) -> Vec<Row> {
    let long = "f".repeat(10_000);
    let not_found = [
        "/files/..%2f..%2fetc%2fpasswd",
        "/files/../retouch.db",
        "/files/%2e%2e%2fretouch.db",
        "/files/..%5c..%5cretouch.db",
        "/files/%00",
        "/files/%ff%fe",
        "/files/%",
        "/files//etc/passwd",
        "/files/.hidden-file-name.png",
        "/files/COM1.png",
        "/files/0123456789abcdef0123456789abcdef.png",
        "/files/0123456789abcdef%00.png",
        "/files/",
        "/files",
        &format!("/files/{long}"),
        "/api/image-edit%00",
        "/api//credits",
        "/API/CREDITS",
        "/api/credits/",
        "/api/credits;a=b",
        "/./api/credits",
        "/api/generations/%27%20OR%201=1--",
        "/api/generations/..%2f..",
        "/api/generations/00000000-0000-0000-0000-000000000000",
        "/api/generations/%F0%9F%96%BC",
        "/.git/config",
        "/retouch.toml",
        "/server-status",
        "//",
        "/docs/../../retouch.toml",
    ];
    let mut rows: Vec<Row> =
        not_found.iter().map(|path| sender.get(&format!("GET {path}"), 404, "not_found")).collect();
    for line in
        ["get /api/credits", "BREW /api/credits", "PUT /api/image-edit", "TRACE /api/image-edit"]
    {
        rows.push(sender.get(line, 405, "method_not_allowed"));
    }
    rows.push(sender.get("POST http://evil.example/api/nothing", 404, "not_found"));
    rows.push(sender.get("OPTIONS *", 404, "not_found"));
    let connect = http::request("CONNECT 127.0.0.1:22", &[bearer(&sender.key)], None);
    rows.push(Row::raw("CONNECT", connect, Wanted::Refused));
    rows
}
