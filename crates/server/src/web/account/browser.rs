//! What a browser calls itself, in words for people.

/// Names that browsers carry, those first that others carry beside their own.
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
/// Names of systems, in the same order.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// What a browser is, such as "Firefox on Linux"; where that cannot be told, what it says.
pub(super) fn browser(user_agent: Option<&str>) -> String {
    let Some(text) = user_agent else { return "A browser that does not say".into() };
    let known = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| text.contains(mark)).map(|(_, name)| *name)
    };
    match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        _ => text.chars().take(60).collect(),
    }
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
