//! What callers know: which calls were answered and how, and which must be repeated.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

use base64_simd::STANDARD;
use serde_json::Value;

use crate::calls::{self, PRICE, Random};
use crate::http::Answer;

/// What a caller learned from a successful call. Every repetition must say the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Receipt {
    pub(crate) uuid: String,
    /// The path of the stored image. The port changes with every start.
    pub(crate) path: String,
    pub(crate) png: Vec<u8>,
}

/// The shared memory of all callers, which no crash of the service affects.
#[derive(Default)]
pub(crate) struct Journal(Mutex<Known>);

#[derive(Default)]
pub(crate) struct Known {
    next: u64,
    /// Calls whose outcome is unknown because their connection broke.
    open: Vec<u64>,
    /// What successful calls have got, by the number of the call and of the image in it.
    pub(crate) receipts: BTreeMap<(u64, usize), Receipt>,
    /// Generations whose deletion was requested, and whether it was acknowledged.
    pub(crate) deletions: BTreeMap<String, bool>,
    /// Generations that a caller has asked to cancel, and whether that was acknowledged.
    pub(crate) cancels: BTreeMap<String, bool>,
    /// Calls that were refused, as they should be.
    pub(crate) refused: BTreeSet<u64>,
    /// Answers that were replays.
    pub(crate) replays: u64,
    /// Whether the database may be unavailable for a moment or a server assumed dead. Then a call
    /// may end with an error that says nothing about its outcome, and must be repeated.
    among_faults: bool,
    /// The number of those errors.
    pub(crate) faults: u64,
    /// Keys whose revocation may have happened.
    pub(crate) revoking: BTreeSet<String>,
    /// Keys whose revocation is complete.
    pub(crate) revoked: BTreeSet<String>,
}

/// What a caller does next.
pub(crate) enum Step {
    /// The call with this number, for the first time or again.
    Edit(u64),
    /// The deletion of this generation.
    Delete(String),
}

/// What a caller does about an answer.
#[derive(Debug)]
pub(crate) enum Next {
    /// Nothing.
    Nothing,
    /// It asks for the result of this generation.
    Follow(String),
    /// It fetches the images at these paths, which are all that it knows.
    Fetch(Vec<String>),
}

impl Journal {
    /// A journal of calls during faults, some of which may get no useful answer.
    pub(crate) fn among_faults() -> Self {
        Self(Mutex::new(Known { among_faults: true, ..Known::default() }))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap()
    }
}

impl Known {
    /// Mostly new calls, sometimes an interrupted one, an answered one, or a deletion.
    pub(crate) fn step(&mut self, random: &mut Random) -> Step {
        match random.below(10) {
            0..=1 if !self.open.is_empty() => Step::Edit(self.take_open(random)),
            2 if !self.receipts.is_empty() => Step::Edit(self.answered(random).0),
            3 if self.receipts.len() > 20 => self.deletion(random),
            _ => {
                self.next += 1;
                Step::Edit(self.next)
            }
        }
    }

    /// A call that must be repeated; none when all are known.
    pub(crate) fn pop_open(&mut self) -> Option<u64> {
        self.open.pop()
    }

    /// Records that a deletion was acknowledged. Any other answer must be due to a fault.
    pub(crate) fn deleted(&mut self, uuid: &str, answer: &Answer) {
        match answer.status {
            // The generation may have been deleted before a crash lost the answer.
            204 | 404 => drop(self.deletions.insert(uuid.to_owned(), true)),
            500 | 503 if self.among_faults => self.faults += 1,
            _ => panic!("the deletion of {uuid}: {answer:?}"),
        }
    }

    /// Whether the key was refused. This may happen as soon as the key is being revoked, and must
    /// happen once it is revoked. `was_revoked` says whether it was revoked when the call began.
    pub(crate) fn is_refused(&self, key: &str, was_revoked: bool, answer: &Answer) -> bool {
        let is_refused = answer.status == 401;
        assert!(!is_refused || self.revoking.contains(key), "a valid key was refused: {answer:?}");
        let is_fault = [500, 503].contains(&answer.status);
        assert!(is_refused || is_fault || !was_revoked, "a revoked key was accepted: {answer:?}");
        is_refused
    }

    /// Records that the outcome of the call is unknown.
    pub(crate) fn lost(&mut self, number: u64) {
        self.open.push(number);
    }

    /// Compares an answer with what is required and with earlier answers.
    pub(crate) fn answered_with(&mut self, number: u64, answer: &Answer) -> Next {
        let body = String::from_utf8_lossy(&answer.body[..answer.body.len().min(400)]);
        match answer.status {
            202 if calls::is_async(number) && calls::can_succeed(number) => {
                let accepted = answer.json();
                let generation = &accepted["generation"];
                if !["processing", "succeeded"].contains(&generation["status"].as_str().unwrap()) {
                    // It ended after the key had been looked up.
                    assert_eq!(accepted["cost"], 0, "{body}");
                    self.failed(number, generation);
                    return Next::Nothing;
                }
                assert_eq!(accepted["cost"], PRICE, "{body}");
                return Next::Follow(generation["uuid"].as_str().unwrap().to_owned());
            }
            200 if !calls::is_async(number) && calls::can_succeed(number) => {
                return match calls::is_openai(number) {
                    true => self.made(number, &answer.json()),
                    false => self.succeeded(number, &answer.json()),
                };
            }
            400 if !calls::can_succeed(number) => {
                assert_eq!(answer.json()["error"]["code"], "invalid_image", "{body}");
                self.refused.insert(number);
            }
            // The same call is running on another connection, or the service is overloaded.
            409 | 503 => self.lost(number),
            // It was interrupted before its image was decoded, and is not given up yet.
            202 if calls::is_async(number) => self.lost(number),
            500 if self.among_faults => {
                let code = answer.json()["error"]["code"].as_str().unwrap_or_default().to_owned();
                assert!(["server_error", "outcome_pending"].contains(&code.as_str()), "{body}");
                self.faults += 1;
                self.lost(number);
            }
            404 => assert!(self.is_deleted(number), "call {number}: {body}"),
            other => panic!("call {number} was answered with {other}: {body}"),
        }
        Next::Nothing
    }

    /// Whether all images of the call are known.
    pub(crate) fn is_known(&self, number: u64) -> bool {
        (0..calls::images(number)).all(|index| self.receipts.contains_key(&(number, index)))
    }

    /// Whether the deletion of an image of the call was requested.
    fn is_deleted(&self, number: u64) -> bool {
        let mut receipts =
            (0..calls::images(number)).filter_map(|index| self.receipts.get(&(number, index)));
        receipts.any(|receipt| self.deletions.contains_key(&receipt.uuid))
    }

    /// Records how the caller's wish to cancel a generation was answered. Returns whether it was
    /// canceled.
    pub(crate) fn canceled(&mut self, uuid: &str, answer: &Answer) -> bool {
        match answer.status {
            200 => {
                let generation = answer.json();
                assert!(is_canceled(&generation), "{generation}");
                self.cancels.insert(uuid.to_owned(), true);
                true
            }
            // It has ended, or was deleted by another caller.
            404 | 409 => false,
            500 | 503 if self.among_faults => {
                self.faults += 1;
                false
            }
            _ => panic!("canceling {uuid}: {answer:?}"),
        }
    }

    /// Records that an accepted call has ended without a charge. It must be repeated.
    pub(crate) fn failed(&mut self, number: u64, generation: &Value) {
        let uuid = generation["uuid"].as_str().unwrap();
        let is_asked_for = is_canceled(generation) && self.cancels.contains_key(uuid);
        assert!(is_asked_for || self.among_faults, "call {number} was accepted: {generation}");
        self.lost(number);
    }

    /// Compares the result of a call with earlier ones. `image` is the number of the call and of the
    /// image in it.
    pub(crate) fn fetched(&mut self, image: (u64, usize), receipt: Receipt) {
        match self.receipts.get(&image) {
            Some(before) => {
                assert!(*before == receipt, "call {image:?} got two different results");
                self.replays += 1;
            }
            None => drop(self.receipts.insert(image, receipt)),
        }
    }

    fn succeeded(&mut self, number: u64, body: &Value) -> Next {
        assert_eq!(body["cost"], PRICE);
        let uri = body["data"][0]["url"].as_str().unwrap();
        let data = uri.strip_prefix("data:image/png;base64,").unwrap();
        let address = body["generation"]["stored_images"][0].as_str().unwrap();
        let receipt = Receipt {
            uuid: body["generation"]["uuid"].as_str().unwrap().to_owned(),
            path: path_of(address),
            png: STANDARD.decode_to_vec(data).unwrap(),
        };
        self.fetched((number, 0), receipt);
        Next::Nothing
    }

    /// The same for an answer in OpenAI's protocol. It has the addresses of the images, or if they are
    /// known, the images themselves.
    fn made(&mut self, number: u64, body: &Value) -> Next {
        let images = body["data"].as_array().unwrap();
        if images.len() < calls::images(number) {
            // Repeating the call makes what is missing, unless it was made and deleted.
            let warning = body["warnings"].as_array().unwrap().last().unwrap();
            assert_eq!(warning["code"], "images_missing", "{body}");
            if !self.is_deleted(number) {
                self.lost(number);
            }
            return Next::Nothing;
        }
        let mut paths = Vec::new();
        for (index, image) in images.iter().enumerate() {
            match image["b64_json"].as_str() {
                Some(text) => {
                    let png = STANDARD.decode_to_vec(text).unwrap();
                    assert!(png == self.receipts[&(number, index)].png, "call {number} differs");
                    self.replays += 1;
                }
                None => paths.push(path_of(image["url"].as_str().unwrap())),
            }
        }
        if paths.is_empty() { Next::Nothing } else { Next::Fetch(paths) }
    }

    fn take_open(&mut self, random: &mut Random) -> u64 {
        let at = random.below(self.open.len() as u64);
        self.open.swap_remove(at as usize)
    }

    fn answered(&self, random: &mut Random) -> (u64, usize) {
        let at = random.below(self.receipts.len() as u64);
        *self.receipts.keys().nth(at as usize).unwrap()
    }

    fn deletion(&mut self, random: &mut Random) -> Step {
        let image = self.answered(random);
        let uuid = self.receipts[&image].uuid.clone();
        self.deletions.entry(uuid.clone()).or_default();
        Step::Delete(uuid)
    }
}

/// The path of a stored file. The port changes with every start.
pub(crate) fn path_of(address: &str) -> String {
    address[address.find("/files/").unwrap()..].to_owned()
}

/// Whether a generation has ended because a caller canceled it.
pub(crate) fn is_canceled(generation: &Value) -> bool {
    generation["status"] == "failed" && generation["error"]["code"] == "canceled"
}
