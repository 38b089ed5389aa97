//! What the section `[mail]` accepts.

use retouch_outbound::mail::Encryption;

use super::{load, refused};

const FROM: (&str, &str) = ("RETOUCH_MAIL__FROM", "Retouch <post@example.com>");

fn url(text: &str) -> (&'static str, &str) {
    ("RETOUCH_MAIL__SMTP_URL", text)
}

#[test]
fn without_a_server_no_mail_is_sent() {
    assert!(load(&[]).unwrap().mail.is_none());
    assert!(load(&[FROM]).unwrap().mail.is_none());
    assert_eq!(load(&[]).unwrap().store_settings().emails_max, 0);
}

#[test]
fn a_server_says_how_it_is_spoken_to() {
    let cases = [
        ("smtp://localhost", "localhost", 25, Encryption::None),
        ("smtp://mail.internal:2525/", "mail.internal", 2525, Encryption::None),
        ("starttls://mail.example.com", "mail.example.com", 587, Encryption::StartTls),
        ("smtps://mail.example.com", "mail.example.com", 465, Encryption::Tls),
        ("smtps://[::1]:5", "::1", 5, Encryption::Tls),
    ];
    for (text, host, port, encryption) in cases {
        let smtp = load(&[url(text), FROM]).unwrap().mail.unwrap().smtp;
        assert_eq!((&*smtp.host, smtp.port, smtp.encryption), (host, port, encryption), "{text}");
        assert_eq!(smtp.credentials, None, "{text}");
    }
    let text = "starttls://ada%40example.com:p%2Fw%C3%BC+%25@mail.example.com";
    let smtp = load(&[url(text), FROM]).unwrap().mail.unwrap().smtp;
    let (user, password) = smtp.credentials.unwrap();
    assert_eq!((&*user, password.reveal()), ("ada@example.com", "p/wü+%"));
    assert!(
        load(&[url("smtp://ada:word@127.0.0.1"), FROM]).is_ok(),
        "no TLS is needed on this machine"
    );
}

#[test]
fn what_is_no_server_is_refused_and_not_repeated() {
    for text in [
        "mail.example.com",
        "https://mail.example.com",
        "smtp://",
        "smtps://ada:s3cret@mail.example.com/inbox",
        "smtps://ada:s3cret@mail.example.com?tls=none",
        "smtps://ada@mail.example.com",
        "smtps://:s3cret@mail.example.com",
        "smtp://ada:s3cret@mail.example.com",
        "smtps://ada:s3cret@mail.example.com:99999",
    ] {
        let said = refused(&[url(text), FROM]);
        assert!(said.contains("mail.smtp_url") && !said.contains("s3cret"), "{text}: {said}");
    }
    let said = refused(&[url("smtp://ada:s3cret@mail.example.com"), FROM]);
    assert!(said.contains("unencrypted"), "{said}");
}

#[test]
fn with_a_server_somebody_has_to_write() {
    let said = refused(&[url("smtp://localhost")]);
    assert!(said.contains("mail.from: missing"), "{said}");
    for from in ["Retouch", "a@b@c", "<>", "Retouch <post@example.com>\r\nBcc: x@example.com"] {
        let said = refused(&[url("smtp://localhost"), ("RETOUCH_MAIL__FROM", from)]);
        assert!(said.contains("expected a sender"), "{from}: {said}");
    }
    for from in ["post@example.com", "Rétouch <post@example.com>"] {
        assert!(load(&[url("smtp://localhost"), ("RETOUCH_MAIL__FROM", from)]).is_ok(), "{from}");
    }
}

#[test]
fn what_opens_the_server_is_not_shown() {
    let text = "smtps://ada:s3cret@mail.example.com";
    let settings = load(&[url(text), FROM]).unwrap();
    let shown = format!("{settings:?} {:?}", settings.show());
    assert!(!shown.contains("s3cret"), "{shown}");
}
