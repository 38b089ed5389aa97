//! Amounts: numbers with units, and words for more and less.

use super::clause::Clause;
use super::common_words;
use super::token::Kind;

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// No unit was given.
    None,
    /// Percent.
    Percent,
    /// Pixels.
    Pixels,
    /// Degrees of an angle.
    Degrees,
    /// A factor.
    Times,
    /// Stops: each doubles the light.
    Stops,
    /// Kelvins of a color temperature.
    Kelvin,
}

/// A number with its unit, as given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quantity {
    /// The number.
    pub(crate) value: f64,
    /// Its unit.
    pub(crate) unit: Unit,
    /// Whether it has a plus or minus sign.
    pub(crate) signed: bool,
    /// Whether it follows "to", which makes it a target and not a difference.
    pub(crate) to: bool,
}

/// Whether the words ask for more, for less or for a value to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// More.
    Up,
    /// Less.
    Down,
    /// A value to reach.
    Set,
}

impl Clause<'_> {
    /// Takes the first open number with its unit and the "by" or "to" before it.
    pub(crate) fn quantity(&mut self) -> Option<Quantity> {
        let at = self.open().find(|at| self.is_amount(*at))?;
        self.quantity_at(at)
    }

    /// Takes the number at a position, with its unit and the "by" or "to" before it.
    pub(super) fn quantity_at(&mut self, at: usize) -> Option<Quantity> {
        let (value, signed, mut end) = self.value(at)?;
        let (value, unit) = match self.open_word(end).filter(|word| !word.is_empty()) {
            Some(word) if self.is_unit(word) => {
                end += 1;
                (value, unit_of(word))
            }
            _ => (value, Unit::None),
        };
        let (value, unit) = self.fraction(value, unit, &mut end);
        let article = usize::from(matches!(self.before(at, 1), Some("a" | "an" | "one")));
        let about =
            self.before(at, 1 + article).is_some_and(|word| common_words::ABOUT.contains(&word));
        let between = article + usize::from(about);
        let preposition = self.before(at, 1 + between);
        let to = preposition == Some("to");
        let start = match preposition {
            Some("to" | "by") => at - 1 - between,
            _ if about => at - between,
            _ => at,
        };
        // "each" in "by 15% each" only says that the amount applies to all.
        if end + 1 == self.tokens().len() && self.open_word(end) == Some("each") {
            end += 1;
        }
        self.mark(start, end - start);
        self.amount_at.extend(start..end);
        Some(Quantity { value, unit, signed, to })
    }

    /// Takes the number that belongs to one of the nouns: "radius of 2px", "a 2px radius".
    pub(crate) fn quantity_of(&mut self, nouns: &[&str]) -> Option<Quantity> {
        let (_, noun, length) = self.find(nouns)?;
        let mut after = noun + length;
        while matches!(self.open_word(after), Some("of" | "is" | "at" | "to" | "about" | "a")) {
            after += 1;
        }
        if let Some((quantity, end)) = self.measure_at(after) {
            self.mark(noun, end - noun);
            return Some(quantity);
        }
        let starts = [1, 2].into_iter().filter_map(|back| noun.checked_sub(back));
        let mut before = starts.filter_map(|start| Some((start, self.measure_at(start)?)));
        let (start, (quantity, _)) = before.find(|(_, (_, end))| *end == noun)?;
        self.mark(start, noun + length - start);
        Some(quantity)
    }

    /// The number with its unit at a position, and the position after it.
    pub(super) fn measure_at(&self, at: usize) -> Option<(Quantity, usize)> {
        self.open_word(at).filter(|_| matches!(self.kind(at), Some(Kind::Number { .. })))?;
        let (value, signed, mut end) = self.value(at)?;
        let unit = self.open_word(end).map_or(Unit::None, unit_of);
        end += usize::from(unit != Unit::None);
        Some((Quantity { value, unit, signed, to: false }, end))
    }

    /// Finds the first open number that counts one of the words. Returns its position and value.
    pub(super) fn counted(&self, words: &[&str]) -> Option<(usize, f64)> {
        self.open().find_map(|at| match self.kind(at)? {
            Kind::Number { value, signed: false } if words.contains(&self.open_word(at + 1)?) => {
                Some((at, *value))
            }
            _ => None,
        })
    }

    /// Takes the two ends of a range: "10-240", "from 10 to 240", "between 10 and 240".
    pub(crate) fn range(&mut self) -> Option<(f64, f64)> {
        let (at, from, to) = self.open().find_map(|at| {
            let joint = matches!(self.kind(at + 1), Some(Kind::Mark('-' | ',' | '–')))
                || matches!(self.open_word(at + 1), Some("to" | "and"));
            match (self.kind(at)?, self.kind(at + 2)?) {
                (
                    Kind::Number { value: from, signed: false },
                    Kind::Number { value: to, signed: false },
                ) if joint => Some((at, *from, *to)),
                _ => None,
            }
        })?;
        self.mark(at, 3);
        self.take(&["from", "between"]);
        Some((from, to))
    }

    /// Takes a word that says more, less or set.
    pub(crate) fn direction(&mut self) -> Option<Direction> {
        let lists = [
            (Direction::Up, common_words::MORE),
            (Direction::Down, common_words::LESS),
            (Direction::Set, common_words::SET),
        ];
        let found = lists.iter().filter_map(|(direction, phrases)| {
            self.find(phrases).map(|(_, at, length)| (length, *direction, at))
        });
        // A plain "add" is the weakest word ("add less contrast"), and a particle beats its verb
        // ("bump it down").
        let weight = |length: usize, at: usize| match self.word(at) {
            "add" => length * 3 - 1,
            "up" | "down" if length == 1 => length * 3 + 1,
            _ => length * 3,
        };
        let Some((length, direction, at)) =
            found.max_by_key(|(length, _, at)| weight(*length, *at))
        else {
            return self.parted();
        };
        self.mark(at, length);
        self.direction_at.extend(at..at + length);
        self.apart(direction, at);
        Some(direction)
    }

    /// Whether the word that says less is "down", as in "cool it down".
    pub(crate) fn said_down(&self) -> bool {
        self.direction_at.iter().any(|at| self.word(*at) == "down")
    }

    /// Takes the particle of a verb, or the verb of a particle, with other words in between: "bring
    /// the contrast down".
    fn apart(&mut self, direction: Direction, at: usize) {
        let (particles, verbs): (&[&str], _) = match direction {
            Direction::Up => (&["up"], common_words::UP_VERBS),
            Direction::Down => (&["down", "back", "off"], common_words::DOWN_VERBS),
            Direction::Set => return,
        };
        if particles.contains(&self.word(at)) {
            self.verb(common_words::PARTICLE_VERBS).or_else(|| self.verb(verbs));
        } else if [verbs, common_words::PARTICLE_VERBS]
            .iter()
            .any(|list| list.contains(&self.word(at)))
        {
            self.verb(particles);
        }
    }

    /// Takes a verb and a particle that only together say less: "knock the brightness back", "take
    /// 10% off the contrast".
    fn parted(&mut self) -> Option<Direction> {
        let (verb, particle) =
            common_words::PARTED_LESS.iter().find_map(|(verbs, particles)| {
                let (_, verb, _) = self.find(verbs)?;
                let (_, particle, _) = self.find(particles)?;
                (verb < particle).then_some((verb, particle))
            })?;
        for at in [verb, particle] {
            self.mark(at, 1);
            self.direction_at.push(at);
        }
        Some(Direction::Down)
    }

    fn before(&self, at: usize, back: usize) -> Option<&str> {
        at.checked_sub(back).and_then(|at| self.open_word(at))
    }

    pub(super) fn is_amount(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Number { .. }))
            // "third" in "the third picture" is an ordinal.
            || (["half", "third", "quarter"].contains(&self.word(at))
                && !["picture", "image", "photo", "one"].contains(&self.word(at + 1)))
    }

    pub(super) fn is_unit(&self, word: &str) -> bool {
        unit_of(word) != Unit::None
    }

    /// The number at a position, whether it is signed, and the position after it. If there is no
    /// number, it is 1, as in "half".
    fn value(&self, at: usize) -> Option<(f64, bool, usize)> {
        match self.kind(at)? {
            Kind::Number { value, signed } => Some((*value, *signed, at + 1)),
            _ => Some((1.0, false, at)),
        }
    }

    /// Converts "half", "a third" or "three quarters" to percent.
    fn fraction(&self, value: f64, unit: Unit, end: &mut usize) -> (f64, Unit) {
        let parts = match self.open_word(*end) {
            Some("half" | "halves") => 2.0,
            Some("third" | "thirds") => 3.0,
            Some("quarter" | "quarters") => 4.0,
            _ => return (value, unit),
        };
        if unit != Unit::None {
            return (value, unit);
        }
        *end += 1;
        (value * 100.0 / parts, Unit::Percent)
    }
}

pub(super) fn unit_of(word: &str) -> Unit {
    match word {
        _ if common_words::PERCENT.contains(&word) => Unit::Percent,
        _ if common_words::PIXELS.contains(&word) => Unit::Pixels,
        _ if common_words::DEGREE_UNITS.contains(&word) => Unit::Degrees,
        _ if common_words::TIMES.contains(&word) => Unit::Times,
        _ if common_words::STOPS.contains(&word) => Unit::Stops,
        _ if common_words::KELVINS.contains(&word) => Unit::Kelvin,
        _ => Unit::None,
    }
}
