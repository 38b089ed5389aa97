//! What visitors see of the operator: name, color, links and announcements.

use std::str::FromStr;

use retouch_core::Email;

use super::network::web_address;
use super::reader::Reader;

/// The maximum length of the name, in characters. It is in the header of every page.
const NAME_CHARS_MAX: usize = 40;
/// The maximum length of a line of text, in characters.
const LINE_CHARS_MAX: usize = 400;

/// The section `[site]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteSettings {
    /// The name of the service.
    pub name: String,
    /// The main color.
    pub color: Option<Color>,
    /// A line of text at the end of each page; may be empty.
    pub footer: String,
    /// The address of the terms of service.
    pub terms_url: Option<String>,
    /// The address of the privacy policy.
    pub privacy_url: Option<String>,
    /// Where users reach the operator: a web address or a `mailto:` URL.
    pub contact_url: Option<String>,
    /// A message on top of each page; may be empty.
    pub announcement: String,
}

/// A color as red, green and blue, 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

impl FromStr for Color {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] = number.ok_or("expected a color such as #05617f")?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl Default for SiteSettings {
    fn default() -> Self {
        Self {
            name: "Retouch".to_owned(),
            color: None,
            footer: String::new(),
            terms_url: None,
            privacy_url: None,
            contact_url: None,
            announcement: String::new(),
        }
    }
}

impl SiteSettings {
    /// Whether there is anything for the end of each page.
    pub fn has_links(&self) -> bool {
        let links = [&self.terms_url, &self.privacy_url, &self.contact_url];
        !self.footer.is_empty() || links.iter().any(|link| link.is_some())
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            name: reader.required("site.name", name).unwrap_or_default(),
            color: reader.optional("site.color", Color::from_str),
            footer: reader.required("site.footer", line).unwrap_or_default(),
            terms_url: reader.optional("site.terms_url", link),
            privacy_url: reader.optional("site.privacy_url", link),
            contact_url: reader.optional("site.contact", contact),
            announcement: reader.required("site.announcement", line).unwrap_or_default(),
        }
    }
}

fn name(text: &str) -> Result<String, String> {
    let name = text.trim();
    let length = name.chars().count();
    if (1..=NAME_CHARS_MAX).contains(&length) && !name.contains(char::is_control) {
        return Ok(name.to_owned());
    }
    Err(format!("expected a name of 1 to {NAME_CHARS_MAX} characters on one line"))
}

fn line(text: &str) -> Result<String, String> {
    let line = text.trim();
    if line.chars().count() <= LINE_CHARS_MAX && !line.contains(char::is_control) {
        return Ok(line.to_owned());
    }
    Err(format!("expected at most {LINE_CHARS_MAX} characters on one line"))
}

fn link(text: &str) -> Result<String, String> {
    web_address(text.trim()).map(String::from)
}

fn contact(text: &str) -> Result<String, String> {
    let email = text.trim().parse::<Email>().map(|email| format!("mailto:{email}"));
    email.or_else(|_| link(text)).map_err(|_| {
        "expected an email address, or a web address such as https://example.com/contact".to_owned()
    })
}
