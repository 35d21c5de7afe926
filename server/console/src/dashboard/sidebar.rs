//! The navigation beside every page of the dashboard: the project that the page is about, the account, and the
//! operators' area.

use super::projects::{ProjectView, Suspended};

/// The navigation beside a page.
pub(super) struct Sidebar {
    pub(super) groups: Vec<Group>,
    /// The suspension of the project that the page is about, which stands above the page.
    pub(super) suspended: Option<Suspended>,
}

/// Links under a title.
pub(super) struct Group {
    pub(super) title: String,
    pub(super) links: Vec<Link>,
}

pub(super) struct Link {
    pub(super) path: String,
    pub(super) text: &'static str,
    /// The value of `aria-current`, if the link leads to the page, or to one that it is a part of.
    pub(super) current: Option<&'static str>,
}

/// A part of a project or of the dashboard, to which the navigation has a link.
struct Part {
    text: &'static str,
    path: &'static str,
    /// The paths of pages that belong to it and are not below its own.
    others: &'static [&'static str],
}

const DASHBOARD: &[Part] = &[Part::new("Projects", "/dashboard/projects", &[])];

/// The text and path of each part of a project at `root` whose text begins with a query, in either case.
pub(super) fn project_pages(query: &str, root: &str) -> Vec<(&'static str, String)> {
    let query = query.to_lowercase();
    let found = PROJECT.iter();
    let found = found.filter(|part| part.text.to_lowercase().starts_with(&query));
    found
        .map(|part| (part.text, format!("{root}{}", part.path)))
        .collect()
}

/// The parts of a project, below its own path.
const PROJECT: &[Part] = &[
    Part::new("Overview", "", &[]),
    Part::new("Keys", "/keys", &[]),
    Part::new("Usage", "/usage", &[]),
    Part::new("Requests", "/requests", &[]),
    Part::new("Configs", "/configs", &[]),
    Part::new("Partner contracts", "/contracts", &["/claims"]),
    Part::new("Webhooks", "/webhooks", &[]),
    Part::new("Members", "/members", &["/invitations"]),
    Part::new("Audit log", "/audit", &[]),
    Part::new("Settings", "/settings", &["/rename", "/tier", "/delete"]),
];

const ACCOUNT: &[Part] = &[
    Part::new(
        "Account",
        "/dashboard/account",
        &["/dashboard/identities", "/dashboard/step-up"],
    ),
    Part::new("Passkeys", "/dashboard/passkeys", &[]),
    Part::new("Sessions", "/dashboard/sessions", &[]),
];

const OPERATOR: &[Part] = &[
    Part::new("Overview", "/dashboard/operator", &[]),
    Part::new("Pending requests", "/dashboard/operator/requests", &[]),
];

impl Sidebar {
    /// The navigation beside the page at a path, which may be about a project.
    pub(super) fn new(path: &str, project: Option<&ProjectView>, is_operator: bool) -> Self {
        // A page about a project is marked among the parts of the project alone.
        let of_dashboard = project.map_or(path, |_| "");
        let mut groups = vec![Group::of(of_dashboard, "Dashboard", "", DASHBOARD)];
        if let Some(project) = project {
            let root = format!("/dashboard/projects/{}", project.id);
            groups.push(Group::of(path, &project.name, &root, PROJECT));
        }
        groups.push(Group::of(path, "Account", "", ACCOUNT));
        if is_operator {
            groups.push(Group::of(path, "Operator", "", OPERATOR));
        }
        let suspended = project.and_then(|project| project.suspended.clone());
        Self { groups, suspended }
    }
}

impl Group {
    fn of(path: &str, title: &str, root: &str, parts: &[Part]) -> Self {
        let below = path.strip_prefix(root);
        let matched = |part: &Part| part.matched_length(below?);
        // The page belongs to the part with the longest path that its own begins with.
        let nearest = parts.iter().filter_map(matched).max();
        let current = |part: &Part| {
            let is_nearest = nearest.is_some() && matched(part) == nearest;
            match below == Some(part.path) {
                true => Some("page"),
                false => is_nearest.then_some("true"),
            }
        };
        let link = |part: &Part| Link {
            path: format!("{root}{}", part.path),
            text: part.text,
            current: current(part),
        };
        Self {
            title: title.to_owned(),
            links: parts.iter().map(link).collect(),
        }
    }
}

impl Part {
    const fn new(text: &'static str, path: &'static str, others: &'static [&'static str]) -> Self {
        Self { text, path, others }
    }

    /// The length of that path of the part which the path of a page begins with.
    fn matched_length(&self, page: &str) -> Option<usize> {
        let mut paths = self.others.iter().chain([&self.path]);
        let is_below = |path: &&&str| {
            let rest = page.strip_prefix(**path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        paths.find(is_below).map(|path| path.len())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn current(path: &str) -> Vec<(&'static str, &'static str)> {
        let project = ProjectView {
            id: Uuid::nil(),
            name: "A wallet".to_owned(),
            tier: "Free",
            limit: 50,
            quota: 10,
            suspended: None,
        };
        let of_project = path.starts_with("/dashboard/projects/");
        let sidebar = Sidebar::new(path, of_project.then_some(&project), true);
        let links = sidebar.groups.iter().flat_map(|group| &group.links);
        links
            .filter_map(|link| Some((link.text, link.current?)))
            .collect()
    }

    #[test]
    fn the_part_of_a_page_is_marked() {
        for (path, text, value) in [
            ("/dashboard/projects", "Projects", "page"),
            ("/dashboard/projects/ID", "Overview", "page"),
            ("/dashboard/projects/ID/keys", "Keys", "page"),
            ("/dashboard/projects/ID/keys/1/rotate", "Keys", "true"),
            ("/dashboard/projects/ID/configs", "Configs", "page"),
            ("/dashboard/projects/ID/configs/new", "Configs", "true"),
            (
                "/dashboard/projects/ID/claims/1",
                "Partner contracts",
                "true",
            ),
            ("/dashboard/projects/ID/webhooks/1/edit", "Webhooks", "true"),
            ("/dashboard/projects/ID/rename", "Settings", "true"),
            ("/dashboard/account/erase", "Account", "true"),
            ("/dashboard/step-up", "Account", "true"),
            ("/dashboard/operator/accounts/1", "Overview", "true"),
            ("/dashboard/operator/requests", "Pending requests", "page"),
        ] {
            let path = path.replace("ID", &Uuid::nil().to_string());
            assert_eq!(current(&path), [(text, value)], "{path}");
        }
    }

    #[test]
    fn operators_alone_see_the_operators_area() {
        let groups = |is_operator| Sidebar::new("/dashboard", None, is_operator).groups;
        let titles = |groups: Vec<Group>| groups.into_iter().map(|it| it.title).collect::<Vec<_>>();
        assert_eq!(titles(groups(false)), ["Dashboard", "Account"]);
        assert_eq!(titles(groups(true)), ["Dashboard", "Account", "Operator"]);
    }
}
