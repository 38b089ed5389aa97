//! Joins lists of phrases at compile time, so that the table of operations and the parsers share
//! the same lists.

/// The number of phrases in all lists.
pub(crate) const fn count(lists: &[&[&str]]) -> usize {
    let (mut total, mut at) = (0, 0);
    while at < lists.len() {
        total += lists[at].len();
        at += 1;
    }
    total
}

/// All lists concatenated. Together, they must have `N` phrases.
pub(crate) const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut all = [""; N];
    let (mut list, mut end) = (0, 0);
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            all[end] = lists[list][at];
            (at, end) = (at + 1, end + 1);
        }
        list += 1;
    }
    all
}

/// Joins several lists into one constant.
macro_rules! phrases {
    ($($list:expr),+ $(,)?) => {{
        const LISTS: &[&[&str]] = &[$($list),+];
        const ALL: [&str; $crate::instruction::phrase_lists::count(LISTS)] =
            $crate::instruction::phrase_lists::joined(LISTS);
        &ALL
    }};
}

pub(crate) use phrases;
