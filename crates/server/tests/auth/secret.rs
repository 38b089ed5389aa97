//! API keys and session tokens.

use proptest::prelude::*;
use retouch_server::auth::secret::{ApiKeySecret, KEY_PREFIX, SessionToken};

use super::ids;

proptest! {
    #[test]
    fn a_new_key_passes_its_own_check(seed: u64) {
        let key = ApiKeySecret::new(&ids(seed));
        prop_assert_eq!(ApiKeySecret::check(key.reveal()), Some(key.hash()));
        prop_assert_eq!(key.reveal().len(), KEY_PREFIX.len() + 36);
        prop_assert!(key.reveal().starts_with(key.start()));
        prop_assert!(key.start().len() < 16);
    }

    #[test]
    fn a_key_with_one_wrong_character_fails_it(seed: u64, place in 0..44_usize, wrong in "[ -~]") {
        let key = ApiKeySecret::new(&ids(seed));
        let mut text = key.reveal().to_owned();
        text.replace_range(place..=place, &wrong);
        prop_assert_eq!(ApiKeySecret::check(&text).is_some(), text == key.reveal());
    }

    #[test]
    fn no_text_at_all_panics_the_check(text in ".{0,60}") {
        prop_assert_eq!(ApiKeySecret::check(&text), None);
        let prefixed = ApiKeySecret::check(&format!("{KEY_PREFIX}{text}"));
        prop_assert_eq!(prefixed, None);
        let _ = SessionToken::check(&text);
    }
}

#[test]
fn keys_differ_and_use_all_of_base_62() {
    let ids = ids(1);
    let keys: Vec<String> = (0..500).map(|_| ApiKeySecret::new(&ids).reveal().to_owned()).collect();
    let distinct: std::collections::HashSet<&String> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len());
    let digits: std::collections::HashSet<char> =
        keys.iter().flat_map(|key| key.trim_start_matches(KEY_PREFIX).chars()).collect();
    assert_eq!(digits.len(), 62);
}

#[test]
fn swapped_and_missing_characters_are_found_out() {
    let key = ApiKeySecret::new(&ids(2)).reveal().to_owned();
    let mut swapped: Vec<char> = key.chars().collect();
    let place = (10..36).find(|place| swapped[*place] != swapped[place + 1]).unwrap();
    swapped.swap(place, place + 1);
    assert_eq!(ApiKeySecret::check(&swapped.iter().collect::<String>()), None);
    assert_eq!(ApiKeySecret::check(&key[..key.len() - 1]), None);
    assert_eq!(ApiKeySecret::check(&format!("{key}A")), None);
    assert_eq!(ApiKeySecret::check(&key.to_uppercase()), None);
    assert_eq!(ApiKeySecret::check(""), None);
}

#[test]
fn tokens_have_256_bits_and_a_fixed_form() {
    let ids = ids(3);
    let (one, other) = (SessionToken::new(&ids), SessionToken::new(&ids));
    assert_eq!(one.reveal().len(), 43);
    assert_ne!(one.reveal(), other.reveal());
    assert_eq!(SessionToken::check(one.reveal()), Some(one.hash()));
    assert_eq!(SessionToken::check(&one.reveal()[1..]), None);
    assert_eq!(SessionToken::check(&format!("{}=", &one.reveal()[1..])), None);
}

#[test]
fn debugging_output_hides_secrets() {
    let key = ApiKeySecret::new(&ids(4));
    let token = SessionToken::new(&ids(5));
    assert_eq!(format!("{key:?}"), format!("ApiKeySecret({}…)", key.start()));
    assert_eq!(format!("{token:?}"), "SessionToken(hidden)");
}
