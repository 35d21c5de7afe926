//! The name of a browser, by which people recognise their sessions.

/// A browser and its system in words, such as `Firefox on Linux`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserName(String);

/// Words of `User-Agent` headers and their meanings, the more special ones first.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
const SYSTEMS: &[(&str, &str)] = &[
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

impl BrowserName {
    /// The name from a `User-Agent` header.
    pub fn of_user_agent(header: &str) -> Self {
        let browser = meaning(BROWSERS, header).unwrap_or("A browser");
        Self(match meaning(SYSTEMS, header) {
            Some(system) => format!("{browser} on {system}"),
            None => browser.to_owned(),
        })
    }

    /// A name as it was stored.
    pub(super) fn stored(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn meaning(words: &[(&str, &'static str)], header: &str) -> Option<&'static str> {
    let found = words.iter().find(|(word, _)| header.contains(word));
    found.map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_named() {
        let check = |header: &str, name: &str| {
            assert_eq!(BrowserName::of_user_agent(header).as_str(), name);
        };
        check(
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox on Linux",
        );
        check(
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
             Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
            "Edge on Windows",
        );
        check("curl/8.0", "curl");
        check("<script>", "A browser");
    }
}
