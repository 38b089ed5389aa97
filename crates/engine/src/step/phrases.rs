//! Lists of phrases joined while compiling, so that the tables of the operations and the functions
//! that read them share one list of each kind.

/// How many phrases there are in all lists.
pub(super) const fn count(lists: &[&[&str]]) -> usize {
    let (mut total, mut at) = (0, 0);
    while at < lists.len() {
        total += lists[at].len();
        at += 1;
    }
    total
}

/// The phrases of all lists one after the other; there have to be `N` of them.
pub(super) const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
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

/// One list out of several, as a constant.
macro_rules! phrases {
    ($($list:expr),+ $(,)?) => {{
        const LISTS: &[&[&str]] = &[$($list),+];
        const ALL: [&str; $crate::step::phrases::count(LISTS)] =
            $crate::step::phrases::joined(LISTS);
        &ALL
    }};
}

pub(super) use phrases;
