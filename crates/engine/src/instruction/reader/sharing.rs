//! Words that neighbouring clauses share: "increase the brightness and contrast by 20%",
//! "slightly brighter and warmer", "flip horizontally and vertically".

use super::super::clause::Clause;
use super::super::token::Token;
use super::clauses::{Found, read as read_alone};
use super::{Meaning, Part};

/// Reads a clause with the words that it leaves out because the clause before has them.
pub(super) fn read<'t>(tokens: &[&'t Token], previous: &mut Part<'t>) -> Option<Found<'t>> {
    let Meaning::Step(before) = &previous.meaning else { return None };
    let before = before.clone();
    let own = own(tokens);
    let adjusts = before.step.operation().change().is_some();
    if adjusts && own.directions == 0 && !before.direction.is_empty() {
        let found = with(&before.direction, tokens)?;
        found.step.operation().change()?;
        give_back(&before, &found, previous);
        return Some(found);
    }
    if adjusts && own.comparative {
        if !own.amount && leads(&before, previous) {
            return with(&before.amount, tokens)
                .filter(|found| found.step.operation().change().is_some());
        }
        let found = read_alone(tokens.to_vec()).ok()?;
        give_back(&before, &found, previous);
        return Some(found);
    }
    // "flip horizontally and vertically": the verb is left out.
    let complete = read_alone(tokens.to_vec()).is_ok();
    if complete { None } else { with(&before.head, tokens) }
}

/// What a clause brings itself.
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

/// Whether the amount of a clause stands before its operation ("slightly brighter").
fn leads(found: &Found<'_>, part: &Part<'_>) -> bool {
    let first = |tokens: &[&Token]| tokens.iter().map(|token| token.start).min();
    !part.tokens.is_empty()
        && first(&found.amount).is_some_and(|amount| Some(amount) < first(&found.head))
}

/// Gives an amount at the end to the clause before that has none.
fn give_back<'t>(before: &Found<'t>, found: &Found<'t>, previous: &mut Part<'t>) {
    let last = |tokens: &[&Token]| tokens.iter().map(|token| token.start).max();
    let trails = last(&found.amount) > last(&found.head) && !found.amount.is_empty();
    if !trails || !before.amount.is_empty() {
        return;
    }
    let tokens: Vec<&Token> = previous.tokens.iter().chain(&found.amount).copied().collect();
    let tokens = if previous.tokens.iter().any(|token| before.direction.contains(token)) {
        tokens
    } else {
        before.direction.iter().copied().chain(tokens).collect()
    };
    if let Ok(mut again) = read_alone(tokens) {
        again.assumed.push("the amount at the end counts for both".to_owned());
        previous.meaning = Meaning::Step(again);
    }
}
