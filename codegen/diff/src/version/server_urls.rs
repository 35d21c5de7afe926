//! The URLs that servers may have (OpenAPI 3.1.1 §4.8.5).

use std::collections::BTreeSet;

/// The URLs of a list of servers, with every listed value of their variables.
#[derive(Debug, Clone, Default)]
pub(crate) struct ServerUrls {
    /// The path of the first, which operations are below.
    base: String,
    /// The paths of all of them.
    pub(crate) paths: BTreeSet<String>,
    /// Without a slash at their ends.
    urls: BTreeSet<String>,
}

impl ServerUrls {
    /// The URLs of a list of servers; an empty one means a server at `/` (OpenAPI 3.1.1 §4.8.1.1).
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
        for server in servers.iter().map(codegen::server) {
            all.urls.insert(trimmed(server.default_url()));
            all.paths.insert(server.path());
            for variable in &server.variables {
                for value in &variable.allowed {
                    all.urls
                        .insert(trimmed(server.url_with(&variable.name, value)));
                    all.paths.insert(server.path_with(&variable.name, value));
                }
            }
        }
        all
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The URLs that others lack, without their paths, which are compared with operations.
    pub(crate) fn but_for<'u>(&'u self, others: &'u ServerUrls) -> Vec<&'u String> {
        let theirs: BTreeSet<&str> = others
            .urls
            .iter()
            .filter_map(|url| others.site(url))
            .collect();
        let is_known = |url: &&String| {
            let site = self.site(url);
            others.urls.contains(*url) || site.is_some_and(|site| theirs.contains(site))
        };
        self.urls.iter().filter(|url| !is_known(url)).collect()
    }

    /// A URL without the path that operations are below.
    fn site<'u>(&self, url: &'u str) -> Option<&'u str> {
        Some(url.strip_suffix(&self.base)?.trim_end_matches('/'))
    }
}

fn trimmed(written: String) -> String {
    match written.trim_end_matches('/') {
        "" => written,
        address => address.to_owned(),
    }
}
