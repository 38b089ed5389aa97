//! Exceptions: "blur everything but the left half" is done to the right half.
//!
//! The rest of a picture is a part of its own only beside a part along one side. Any other
//! exception is refused, so that the edit never falls on what was to be left out.

use super::{Replaced, kinds};
use crate::instruction::clause::Clause;
use crate::instruction::edit_lists::SETTINGS;
use crate::instruction::split::{in_coordinates, stands};
use crate::instruction::token::{Kind, Token};
use crate::region::Region;
use crate::{Length, Place, Plan, Refusal};

/// Words for all of the picture, which may stand before an exception.
const ALL: &[&str] = &["everything", "all", "anything", "everywhere"];
/// What makes an exception behind one of those only.
const BEHIND_ALL: &[&str] = &["bar", "save", "save for", "outside", "not"];
const EXCEPT: &[&str] = &[
    "except for",
    "except",
    "excepting",
    "excluding",
    "exclude",
    "apart from",
    "aside from",
    "other than",
    "save for",
    "outside",
    "outside of",
    "with the exception of",
    "besides",
    "barring",
    "not including",
    "but not",
    "but",
];
/// What may follow an "except" that only says what to keep as it is.
const KEEPS: &[&str] =
    &["dont", "do", "not", "no", "never", "keep", "leave", "without", "please", "that"];
const PREPOSITIONS: &[&str] = &["in", "on", "within", "inside", "for", "from"];
/// What may end a clause besides marks.
const JOINTS: &[&str] = &["and", "then", "but", "please", "while", "so", "or"];

/// An exception at the front of the tokens whose rest is a part of the picture.
pub(super) fn at(tokens: &[Token], before: Option<&Token>) -> Option<Replaced> {
    let (length, rest) = excepted(tokens)?;
    Some((length, rest.filter(|_| !before.is_some_and(is_side))?))
}

/// The refusal of the first exception whose rest is not a part of the picture.
pub(in crate::instruction) fn refused(tokens: &[Token], instruction: &str) -> Option<Refusal> {
    (0..tokens.len()).find_map(|at| {
        let rest = tokens.get(at..)?;
        let side = at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(is_side);
        let (length, _) = excepted(rest).filter(|(_, part)| side || part.is_none())?;
        let (first, last) = rest.first().zip(rest.get(length - 1))?;
        let refusal = Refusal::missing(
            "the editor can't leave out that part; name the parts to change instead, \
             for example \"blur the top half and blur the 200x100 box at 50,80\"",
        );
        Some(refusal.quoting(instruction, [first.start, last.end]))
    })
}

/// The refusal of a plan that does not leave out what its words except: "brighten everything but the
/// shadows". Colors are left out by the operation that keeps them.
pub(in crate::instruction) fn ignored(
    plan: &Plan,
    tokens: &[Token],
    instruction: &str,
) -> Option<Refusal> {
    if plan.steps.iter().any(|step| step.capability().name == "keep_color") {
        return None;
    }
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let at = (0..tokens.len()).find(|at| {
        let all = at.checked_sub(1).is_some_and(|before| ALL.contains(&word(before)));
        let next = word(at + 1);
        match word(*at) {
            "except" => !KEEPS.contains(&next),
            "but" => all && (next == "the" || SETTINGS.contains(&next)),
            _ => false,
        }
    })?;
    let (from, end) = tokens.get(at).zip(tokens.last())?;
    let refusal =
        Refusal::missing("the editor can't make that exception; list the edits you want instead");
    Some(refusal.quoting(instruction, [from.start, end.end]))
}

/// "on all sides but the top" leaves out a side, not a part of the picture.
fn is_side(token: &Token) -> bool {
    ["sides", "side", "edges", "edge", "corners", "corner"].contains(&token.word())
}

/// The length of an exception at the front of the tokens and the words for all but that part; none
/// where no words name it.
fn excepted(tokens: &[Token]) -> Option<(usize, Option<Vec<Kind>>)> {
    let all = usize::from(ALL.contains(&tokens.first()?.word()));
    let phrases = EXCEPT.iter().chain(BEHIND_ALL.iter().filter(|_| all == 1));
    let said = phrases.filter_map(|phrase| stands(tokens, all, phrase)).max()?;
    let plain = said == 1 && tokens.get(all)?.word() == "but";
    let mut from = all + said;
    let next = tokens.get(from)?.word();
    let preposition = PREPOSITIONS.contains(&next);
    // "but only in the top half" limits the edit to that part.
    if ["only", "just"].contains(&next) || (plain && preposition) {
        return None;
    }
    from += usize::from(preposition);
    let (length, region) = region(tokens.get(from..)?)?;
    let end = from + length;
    let again = tokens.get(end).is_some_and(|joint| ["and", "or"].contains(&joint.word()))
        && region_behind(tokens.get(end + 1..).unwrap_or_default());
    Some((end, rest_of(region).filter(|_| !again)))
}

fn region_behind(tokens: &[Token]) -> bool {
    let preposition = tokens.first().is_some_and(|first| PREPOSITIONS.contains(&first.word()));
    region(tokens.get(usize::from(preposition)..).unwrap_or_default()).is_some()
}

/// The part of the picture that all words up to the end of the clause name, and their number.
fn region(tokens: &[Token]) -> Option<(usize, Region)> {
    let ends = (1..=tokens.len()).filter(|end| {
        tokens.get(*end).is_none_or(|next| match next.kind {
            Kind::Mark(',') => !in_coordinates(tokens, *end),
            Kind::Mark('.' | ';' | '!' | '?' | ')') => true,
            _ => JOINTS.contains(&next.word()),
        })
    });
    // "between 10,10 and 50,50" goes on behind the first "and".
    ends.take(2).find_map(|end| {
        let mut clause = Clause::new(tokens.get(..end)?.iter().collect());
        let found = clause.region()?;
        clause.leftover().is_none().then_some((end, found.region))
    })
}

/// The words for all but a part along one side.
fn rest_of(region: Region) -> Option<Vec<Kind>> {
    const WHOLE: Length = Length::Percent(100.0);
    let Region::Part { width, height, place } = region else { return None };
    let (side, length, across) = match place {
        Place::Left => ("right", width, height),
        Place::Right => ("left", width, height),
        Place::Top => ("bottom", height, width),
        Place::Bottom => ("top", height, width),
        _ => return None,
    };
    let Length::Percent(percent) = length else { return None };
    (percent < 100.0 && across == WHOLE)
        .then(|| [kinds(["in", "the", side]), share(100.0 - percent)].concat())
}

/// A share as it is said, so that a third is exactly one.
fn share(percent: f64) -> Vec<Kind> {
    const NAMED: &[(f64, &[&str])] = &[(1.0, &["third"]), (2.0, &["2", "thirds"])];
    let named = NAMED.iter().find(|(thirds, _)| (thirds * 100.0 / 3.0 - percent).abs() < 1e-9);
    match named {
        Some((_, words)) => kinds(words.iter().copied()),
        None => {
            vec![Kind::Number { value: percent, signed: false }, Kind::Word("percent".to_owned())]
        }
    }
}
