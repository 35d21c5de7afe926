//! The status page: which parts of the API are available now.

use askama::Template;
use jiff::Timestamp;

use crate::site::{Page, PageError, Shell, SiteInfo, policy};
use features::cache_refresh::CacheRefresh;

/// Caches keep this page for a moment only.
const CACHE: &str = "public, max-age=5";

/// The part of the state of the server that callers notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Whether the database responds.
    database: bool,
    /// The age of the catalogue in minutes, if it could not be refreshed.
    minutes: Option<u64>,
}

#[derive(Template)]
#[template(path = "public_pages/status.html")]
struct Status<'a> {
    shell: Shell<'a>,
    state: State,
    checked_at: Timestamp,
}

impl State {
    /// The state now.
    pub(super) fn of(refresh: &CacheRefresh) -> State {
        let age = refresh.catalogue_age();
        State {
            database: refresh.readiness().is_ok(),
            minutes: (!age.is_zero()).then_some(age.as_secs() / 60),
        }
    }
}

/// The page about a state.
pub(super) fn page(info: &SiteInfo, state: State) -> Result<Page, PageError> {
    let status = Status {
        shell: Shell::public(info, "/status"),
        state,
        checked_at: Timestamp::now(),
    };
    Ok(Page::html(policy::PAGE, status.render()?).cached(CACHE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(database: bool, minutes: Option<u64>) -> String {
        let info = SiteInfo {
            service: "Test".to_owned(),
            api: "http://test/api/v1".to_owned(),
            has_dashboard: false,
        };
        let status = Status {
            shell: Shell::new(&info, "/status"),
            state: State { database, minutes },
            checked_at: Timestamp::UNIX_EPOCH,
        };
        status.render().unwrap()
    }

    #[test]
    fn the_page_names_what_is_unavailable() {
        let well = written(true, None);
        assert!(well.contains("All systems operational") && !well.contains("Unavailable"));
        let away = written(false, Some(7));
        assert!(away.contains("Unavailable") && away.contains("7 min"));
        let old = written(true, Some(0));
        assert!(!old.contains("All systems operational") && old.contains("less than a minute"));
    }
}
