//! The URLs that servers may have (OpenAPI 3.1.1 §4.8.5).

use std::collections::BTreeSet;

/// The URLs of a list of servers, without a slash at their ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct ServerUrls {
    /// The path of the first, which operations are below.
    base: String,
    /// The paths of all of them.
    pub(crate) paths: BTreeSet<String>,
    /// The rest of the URLs that end with that path.
    sites: BTreeSet<String>,
    /// Those with the defaults of all variables.
    pub(crate) usual: BTreeSet<String>,
    /// Those with another value that is listed for one of the variables.
    pub(crate) chosen: BTreeSet<String>,
}

impl ServerUrls {
    /// Those of no servers are those of one at `/` (OpenAPI 3.1.1 §4.8.1.1).
    pub(crate) fn of(servers: &[openapiv3::Server]) -> ServerUrls {
        let usual = [openapiv3::Server {
            url: "/".to_owned(),
            ..openapiv3::Server::default()
        }];
        let servers = if servers.is_empty() { &usual } else { servers };
        let mut all = ServerUrls {
            base: codegen::base_path(servers.first()),
            ..ServerUrls::default()
        };
        for server in servers {
            let server = codegen::server(server);
            all.usual.insert(trimmed(server.default_url()));
            all.paths.insert(server.path());
            for variable in &server.variables {
                for value in &variable.allowed {
                    let url = server.url_with(&variable.name, value);
                    all.chosen.insert(trimmed(url));
                    all.paths.insert(server.path_with(&variable.name, value));
                }
            }
        }
        let urls = all.usual.iter().chain(&all.chosen);
        all.sites = urls.filter_map(|url| all.site(url)).collect();
        all
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// A URL without the path that operations are below.
    fn site(&self, url: &str) -> Option<String> {
        let site = url.strip_suffix(&self.base)?;
        Some(site.trim_end_matches('/').to_owned())
    }

    /// The usual ones that others lack.
    pub(crate) fn usual_but_for<'u>(
        &'u self,
        others: &'u ServerUrls,
    ) -> impl Iterator<Item = &'u String> {
        let usual = self.usual.iter();
        usual.filter(|url| !self.is_known(url, others))
    }

    /// The ones beside the usual that others lack.
    pub(crate) fn chosen_but_for<'u>(
        &'u self,
        others: &'u ServerUrls,
    ) -> impl Iterator<Item = &'u String> {
        let chosen = self.chosen.difference(&self.usual);
        chosen.filter(|url| !self.is_known(url, others))
    }

    /// Whether others have a URL, perhaps with another path: that is told with the paths of operations.
    fn is_known(&self, url: &str, others: &ServerUrls) -> bool {
        let site = self.site(url);
        others.have(url) || site.is_some_and(|site| others.sites.contains(&site))
    }

    fn have(&self, url: &str) -> bool {
        self.usual.contains(url) || self.chosen.contains(url)
    }
}

fn trimmed(written: String) -> String {
    match written.trim_end_matches('/') {
        "" => written,
        address => address.to_owned(),
    }
}
