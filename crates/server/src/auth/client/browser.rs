//! Readable names for browsers, from their `User-Agent`.

/// Marks of browsers and their names. Specific marks come first, because Edge, for example, also
/// calls itself Chrome and Safari.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
/// Marks of operating systems and their names, in the same order.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// The browser's name, such as "Firefox on Linux", or the start of an unknown `User-Agent`.
pub(crate) fn browser(user_agent: Option<&str>) -> String {
    let Some(text) = user_agent else { return "Unknown browser".into() };
    known(text).unwrap_or_else(|| text.chars().take(60).collect())
}

/// The browser's name, such as "Firefox on Linux", for emails: it contains no text that its user
/// could have chosen.
pub(crate) fn recognized(user_agent: Option<&str>) -> String {
    user_agent.and_then(known).unwrap_or_else(|| "an unknown browser or program".into())
}

fn known(text: &str) -> Option<String> {
    let known = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| text.contains(mark)).map(|(_, name)| *name)
    };
    let browser = known(&BROWSERS)?;
    Some(match known(&SYSTEMS) {
        Some(system) => format!("{browser} on {system}"),
        None => browser.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::browser;

    #[test]
    fn browsers_are_called_what_people_call_them() {
        let cases = [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            ("curl/8.14.1", "curl"),
            ("something else", "something else"),
        ];
        for (said, shown) in cases {
            assert_eq!(browser(Some(said)), shown);
        }
    }
}
