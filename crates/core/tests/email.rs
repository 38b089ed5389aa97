//! Tests which texts are email addresses, and which addresses are equal.

use retouch_core::email::{Email, NotAnEmail};

fn read(text: &str) -> Result<Email, NotAnEmail> {
    text.parse()
}

#[test]
fn addresses_of_the_usual_forms_are_accepted() {
    let longest_label = format!("a@{}.example", "b".repeat(63));
    for text in [
        "ada@example.com",
        "ada.lovelace+retouch@mail.example.co.uk",
        "o'hara_99%x@example.com",
        "operator@localhost",
        "jörg@bücher.example",
        "a@1.2.3.4",
        longest_label.as_str(),
    ] {
        assert_eq!(read(text).map(|email| email.to_string()), Ok(text.to_owned()));
    }
}

#[test]
fn other_texts_are_refused() {
    let long_local = format!("{}@example.com", "a".repeat(65));
    let long_label = format!("a@{}.example", "b".repeat(64));
    let long = format!("a@{}example.com", "label.".repeat(50));
    for text in [
        "",
        "@",
        "ada",
        "ada@",
        "@example.com",
        "a b@example.com",
        "ada@exa mple.com",
        "ada@@example.com",
        ".ada@example.com",
        "ada.@example.com",
        "a..da@example.com",
        "ada@.example.com",
        "ada@example.com.",
        "ada@-example.com",
        "ada@example-.com",
        "ada\n@example.com",
        "Ada <ada@example.com>",
        "ada@example.com,bob@example.com",
        "ada@exam/ple.com",
        long_local.as_str(),
        long_label.as_str(),
        long.as_str(),
    ] {
        assert_eq!(read(text).err(), Some(NotAnEmail), "{text:?}");
    }
}

#[test]
fn case_and_surrounding_space_do_not_make_another_address() {
    let (one, other) = (read("Ada@Example.COM").unwrap(), read("  ada@example.com\n").unwrap());
    assert_eq!(one, other);
    assert_eq!(one.key(), "ada@example.com");
    assert_eq!(one.as_str(), "Ada@Example.COM", "the owner's own spelling is kept");
}

#[test]
fn debugging_output_hides_the_address() {
    assert_eq!(format!("{:?}", read("ada@example.com").unwrap()), "Email(hidden)");
}

#[test]
fn the_domain_that_is_kept_free_is_nobodys() {
    for text in ["acct_1@deleted.invalid", "ADA@Example.INVALID", "ada@invalid"] {
        assert!(read(text).unwrap().is_nobodys(), "{text}");
    }
    for text in ["ada@invalid.example", "invalid@example.com", "ada@notinvalid"] {
        assert!(!read(text).unwrap().is_nobodys(), "{text}");
    }
}

#[test]
fn addresses_of_one_mailbox_are_one_person() {
    let mailbox = |text: &str| text.parse::<Email>().unwrap().mailbox();
    for (address, found) in [
        ("Ada@Example.com", "ada@example.com"),
        ("ada+news@example.com", "ada@example.com"),
        ("ada+a+b@example.com", "ada@example.com"),
        ("a.da@example.com", "a.da@example.com"),
        ("A.D.A+x@Gmail.com", "ada@gmail.com"),
        ("ada@googlemail.com", "ada@gmail.com"),
        ("+ada@example.com", "+ada@example.com"),
        ("ada@mail.gmail.com", "ada@mail.gmail.com"),
    ] {
        assert_eq!(mailbox(address), found, "{address}");
    }
}
