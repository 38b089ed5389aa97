//! Decides which buckets are used first.

use crate::credits::{Allotment, Book, Bucket, Credits};

/// Takes `credits` from the buckets in order: lowest priority number first, then earliest expiry
/// (none last), then oldest. The caller has checked that enough credits are available.
pub(super) fn take(book: &Book, credits: Credits) -> Vec<Allotment> {
    take_from(book, credits, |_| true)
}

/// Takes up to `credits` from the buckets for which `may` is true, in the same order.
pub(super) fn take_from(
    book: &Book,
    credits: Credits,
    may: impl Fn(&Bucket) -> bool,
) -> Vec<Allotment> {
    let usable = book.buckets.values().filter(|bucket| !bucket.remaining.is_zero() && may(bucket));
    let mut usable: Vec<&Bucket> = usable.collect();
    usable.sort_unstable_by_key(|bucket| bucket.burn_order());
    let mut needed = credits;
    let mut taken = Vec::with_capacity(1);
    for bucket in usable {
        if needed.is_zero() {
            break;
        }
        let part = needed.min(bucket.remaining);
        needed = needed.checked_sub(part).unwrap_or_default();
        taken.push(Allotment { bucket: bucket.number, credits: part });
    }
    taken
}
