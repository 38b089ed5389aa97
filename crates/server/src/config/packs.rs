//! The packs of credits that are sold once, without a plan.

use retouch_core::Credits;

use super::reader::Reader;

const KEY: &str = "billing.packs";
/// Characters of a pack's name, which payers see on their receipt.
const NAME_CHARS_MAX: usize = 40;
/// Packs that fit on a page.
const PACKS_MAX: usize = 12;
/// The highest price that Stripe charges at once, in US cents.
const CENTS_MAX: u64 = 99_999_999;
/// The lowest price that Stripe charges, in US cents.
const CENTS_MIN: u64 = 50;

/// A pack of credits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackSettings {
    /// The name, unique.
    pub name: String,
    /// How many credits it has.
    pub credits: Credits,
    /// The price in US cents.
    pub cents: u64,
}

impl PackSettings {
    /// The ID in URLs and requests: the name in lower case, with dashes for spaces.
    pub fn id(&self) -> String {
        self.name.to_lowercase().replace(' ', "-")
    }

    /// The price in US dollars, such as `4.90`.
    pub fn price_usd(&self) -> String {
        format!("{}.{:02}", self.cents / 100, self.cents % 100)
    }
}

pub(super) fn read(reader: &mut Reader<'_>) -> Vec<PackSettings> {
    let packs = reader.list(KEY, pack);
    let is_twice = |at: usize| packs.iter().take(at).any(|it| it.id() == packs[at].id());
    if packs.len() > PACKS_MAX {
        reader.refuse(KEY, format!("at most {PACKS_MAX} packs"));
    } else if (0..packs.len()).any(is_twice) {
        reader.refuse(KEY, "each pack needs a name of its own");
    }
    packs
}

fn pack(text: &str) -> Result<PackSettings, String> {
    let wrong = || "expected NAME=CREDITS:DOLLARS, such as Small=300:4.90".to_owned();
    let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
    let (credits, dollars) = rest.split_once(':').ok_or_else(wrong)?;
    let name = name.trim().to_owned();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, ' ' | '-');
    if name.is_empty() || name.len() > NAME_CHARS_MAX || !name.chars().all(is_plain) {
        return Err(format!(
            "a pack is named by at most {NAME_CHARS_MAX} letters, digits, spaces and dashes"
        ));
    }
    let credits = credits.trim().parse().ok().and_then(Credits::new);
    let credits = credits.filter(|credits| !credits.is_zero()).ok_or_else(wrong)?;
    let cents = cents(dollars.trim()).ok_or_else(wrong)?;
    if !(CENTS_MIN..=CENTS_MAX).contains(&cents) {
        return Err("a pack costs from 0.50 to 999999.99 dollars".to_owned());
    }
    Ok(PackSettings { name, credits, cents })
}

/// The cents of an amount in dollars with two decimals, or none.
fn cents(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "00"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if part.len() != 2 || !is_number(part) || !is_number(whole) {
        return None;
    }
    whole.parse::<u64>().ok()?.checked_mul(100)?.checked_add(part.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::pack;

    #[test]
    fn packs_are_read_as_people_write_them() {
        let small = pack("Small pack = 300:4.90").unwrap();
        assert_eq!(
            (small.id().as_str(), small.credits.get(), small.cents),
            ("small-pack", 300, 490)
        );
        assert_eq!(small.price_usd(), "4.90");
        assert_eq!(pack("big=2000:25").unwrap().cents, 2_500);
        for wrong in
            ["", "small", "small=300", "small=0:4.90", "small=3.5:4.90", "small=300:4.9", "=3:1"]
        {
            assert!(pack(wrong).is_err(), "{wrong}");
        }
        assert!(pack("small=300:0.10").unwrap_err().contains("0.50"));
        assert!(pack("<b>=300:1").unwrap_err().contains("letters"));
    }
}
