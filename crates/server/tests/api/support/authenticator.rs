//! An authenticator app, written only from RFC 6238 and RFC 4648.

use std::sync::Arc;

use retouch_core::{Clock, TestClock};
use ring::hmac::{self, HMAC_SHA1_FOR_LEGACY_USE_ONLY, Key};

use super::TestApp;
use super::persona::Persona;

/// An app that has scanned a secret. Its clock is the service's.
pub struct Authenticator {
    secret: Vec<u8>,
    clock: Arc<TestClock>,
    /// The recovery codes that the service showed when the app was set up.
    pub recovery: Vec<String>,
}

impl Authenticator {
    /// Sets up an app through the pages.
    pub async fn set_up(app: &TestApp, person: &Persona) -> Self {
        assert_eq!(person.submit("/second-factor/begin", &[("next", "/admin")]).await.status, 303);
        let page = person.get("/second-factor").await.text();
        let secret = decoded(between(&page, "?secret=", "&"));
        let mut phone = Self { secret, clock: Arc::clone(&app.clock), recovery: Vec::new() };
        let fields = [("code", &*phone.code()), ("next", "/admin")];
        let done = person.submit("/second-factor/confirm", &fields).await;
        assert_eq!(done.status, 200, "{}", done.text());
        let shown = done.text();
        let codes = shown.split("<li><code>").skip(1);
        phone.recovery = codes.map(|rest| rest.split('<').next().unwrap().to_owned()).collect();
        // Moves to the next code.
        app.clock.advance_ms(30_000);
        phone
    }

    /// The code that the app shows now.
    pub fn code(&self) -> String {
        let step = self.clock.now().0 / 30_000;
        let key = Key::new(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.secret);
        let tag = hmac::sign(&key, &step.to_be_bytes());
        let start = usize::from(tag.as_ref()[19] & 0x0f);
        let four: [u8; 4] = tag.as_ref()[start..start + 4].try_into().unwrap();
        format!("{:06}", (u32::from_be_bytes(four) & 0x7fff_ffff) % 1_000_000)
    }
}

fn decoded(text: &str) -> Vec<u8> {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let value = |letter| letters.iter().position(|one| *one == letter).unwrap();
    let bits =
        text.bytes().map(value).flat_map(|five| (0..5).rev().map(move |bit| (five >> bit) & 1));
    let bits: Vec<usize> = bits.collect();
    bits.chunks_exact(8)
        .map(|byte| byte.iter().fold(0, |all, bit| (all << 1) | *bit as u8))
        .collect()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).unwrap().1.split(end).next().unwrap()
}
