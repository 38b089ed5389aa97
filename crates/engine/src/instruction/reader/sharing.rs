//! Words that neighboring clauses share: "increase the brightness and contrast by 20%",
//! "slightly brighter and warmer", "flip horizontally and vertically".

use super::super::clause::Clause;
use super::super::token::Token;
use super::clauses::{Found, read as read_alone};
use super::{Meaning, Part};
use crate::Step;

/// Reads a clause together with words from the clause before, which it leaves out.
pub(super) fn read<'t>(tokens: &[&'t Token], before: &mut [Part<'t>]) -> Option<Found<'t>> {
    let previous = before.last()?;
    let Meaning::Step(step) = &previous.meaning else { return None };
    let own = own(tokens);
    let adjusts = step.step.operation().change().is_some();
    let is_change = |found: &Found<'_>| found.step.operation().change().is_some();
    let found = if adjusts && own.directions == 0 && !own.comparative && !step.direction.is_empty()
    {
        let leading =
            if !own.amount && leads(step, previous) { step.amount.as_slice() } else { &[] };
        let shared: Vec<&Token> = leading.iter().chain(&step.direction).copied().collect();
        with(&shared, tokens).filter(is_change)?
    } else if adjusts && own.comparative && !own.amount && leads(step, previous) {
        return with(&step.amount, tokens).filter(is_change);
    } else if adjusts && own.comparative {
        read_alone(tokens.to_vec()).ok().filter(is_change)?
    } else if !adjusts && !step.direction.is_empty() && read_alone(tokens.to_vec()).is_err() {
        // "tint the shadows teal and the highlights orange"
        let same = |found: &Found<'_>| found.step.capability().name == step.step.capability().name;
        return with(&step.direction, tokens).filter(same);
    } else if step.step.operation().repeats() && read_alone(tokens.to_vec()).is_err() {
        return with(&step.head, tokens);
    } else {
        return None;
    };
    give_back(&found, before);
    Some(found)
}

/// Applies the style given after two texts to the first one as well: ""A" at the top and "B" at
/// the bottom, white with a black outline".
pub(super) fn give_look<'t>(look: &[&'t Token], before: &mut [Part<'t>]) {
    let Some(part) = before.last_mut() else { return };
    let Meaning::Step(step) = &part.meaning else { return };
    let placed = Clause::new(look.to_vec()).place().is_some();
    if look.is_empty() || placed || !matches!(step.step, Step::Text(_)) {
        return;
    }
    let tokens = part.tokens.iter().chain(look).copied().collect();
    let Ok(mut again) = read_alone(tokens) else { return };
    again.assumed.push("the style at the end applies to both texts".to_owned());
    part.meaning = Meaning::Step(Box::new(again));
}

/// What a clause says itself.
struct Own {
    directions: usize,
    amount: bool,
    comparative: bool,
}

fn own(tokens: &[&Token]) -> Own {
    let mut clause = Clause::new(tokens.to_vec());
    let directions = usize::from(clause.direction().is_some());
    let amount = clause.degree().is_some() || clause.quantity().is_some();
    let comparative =
        tokens.iter().any(|token| token.word().ends_with("er") || token.word() == "more");
    let verb = clause.has(&["make", "turn", "rotate", "it"]);
    Own { directions, amount, comparative: comparative && !verb }
}

fn with<'t>(shared: &[&'t Token], tokens: &[&'t Token]) -> Option<Found<'t>> {
    if shared.is_empty() {
        return None;
    }
    read_alone(shared.iter().chain(tokens).copied().collect()).ok()
}

/// Whether the amount of a clause comes before its operation ("slightly brighter").
fn leads(found: &Found<'_>, part: &Part<'_>) -> bool {
    let first = |tokens: &[&Token]| tokens.iter().map(|token| token.start).min();
    !part.tokens.is_empty()
        && first(&found.amount).is_some_and(|amount| Some(amount) < first(&found.head))
}

/// Applies an amount at the end to the previous clauses that have none.
fn give_back<'t>(found: &Found<'t>, before: &mut [Part<'t>]) {
    let last = |tokens: &[&Token]| tokens.iter().map(|token| token.start).max();
    if found.amount.is_empty() || last(&found.amount) < last(&found.head) {
        return;
    }
    for part in before.iter_mut().rev() {
        let Meaning::Step(step) = &part.meaning else { return };
        if step.step.operation().change().is_none() || !step.amount.is_empty() {
            return;
        }
        let own = part.tokens.iter().any(|token| step.direction.contains(token));
        let direction = if own { &[][..] } else { step.direction.as_slice() };
        let tokens = direction.iter().chain(&part.tokens).chain(&found.amount);
        let Ok(mut again) = read_alone(tokens.copied().collect()) else { return };
        again.assumed.push("the amount applies to all of them".to_owned());
        part.meaning = Meaning::Step(Box::new(again));
        if part.strong {
            return;
        }
    }
}
