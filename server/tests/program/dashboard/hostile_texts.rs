//! Text of users acts on no page: neither where it is typed nor where it is shown.

use std::collections::BTreeSet;

use super::browser::{Browser, between, of_id};
use super::configs::{charities, parts};
use super::members::invites;
use super::{database, demo, routes};
use crate::folder::Folder;

/// Leaves an attribute, an element and a script.
const HOSTILE: &str = "\"'></a></textarea><script>alert(1)</script><img src=x>";

/// Columns of strings that get no hostile string, as `table.column`, by the reason. `*` is every table or column.
const EXCEPTIONS: &[(&str, &[&str])] = &[
    (
        "imported by operators",
        &[
            "campaign.*",
            "chain.*",
            "charity.*",
            "charity_donation.*",
            "contract.*",
            "donation.*",
            "import_progress.*",
            "leaderboard_entry.*",
            "partner_token.*",
            "social_link.*",
            "token.*",
        ],
    ),
    (
        "parsed when it is read",
        &[
            "*.action",
            "*.class",
            "*.email",
            "*.email_key",
            "*.proof",
            "*.role",
            "*.state",
            "*.tier",
            "*.type",
            "audit_event.invited",
            "audit_event.subject",
            "claim.address",
            "config.metadata",
            "config_user.address",
            "oidc_authorization.purpose",
            "passkey.credential",
        ],
    ),
    (
        "written by the server alone",
        &[
            "*.network",
            "*.operation",
            "*.provider",
            "api_key.display_prefix",
            "change.counter",
            "version.name",
        ],
    ),
    (
        "on no page",
        &["idempotency.*", "identity.issuer", "identity.subject"],
    ),
    ("an email, which is deleted when it is sent", &["outbox.*"]),
];

/// The columns of strings of all tables but those of [`EXCEPTIONS`].
fn columns_of_strings(database: &rusqlite::Connection) -> Vec<(String, String)> {
    let sql = "SELECT tables.name, columns.name
               FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
               WHERE tables.type = 'table' AND columns.type = 'TEXT'";
    let mut query = database.prepare(sql).unwrap();
    let columns = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let mut columns: Vec<(String, String)> = columns.unwrap().map(Result::unwrap).collect();
    for exception in EXCEPTIONS.iter().flat_map(|(_, columns)| *columns) {
        let (table, column) = exception.split_once('.').unwrap();
        let is = |pattern: &str, name: &str| pattern == "*" || pattern == name;
        let is_excepted =
            |(in_table, name): &(String, String)| is(table, in_table) && is(column, name);
        assert!(
            columns.iter().any(is_excepted),
            "{exception} is no column of strings"
        );
        columns.retain(|it| !is_excepted(it));
    }
    columns
}

/// A form of a page.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PostForm {
    action: String,
    /// Names and values, as they are sent if nobody types anything.
    fields: Vec<(String, String)>,
}

/// The value of an attribute of an element, which begins here.
fn attribute<'t>(element: &'t str, name: &str) -> Option<&'t str> {
    let element = element.split('>').next()?;
    let value = element.split(&format!(" {name}=\"")).nth(1)?;
    value.split('"').next()
}

fn forms(page: &str) -> Vec<PostForm> {
    let forms = page.split("<form").skip(1);
    let forms = forms.filter(|form| attribute(form, "method") == Some("post"));
    forms.map(parsed).collect()
}

fn parsed(form: &str) -> PostForm {
    let inside = form.split("</form>").next().unwrap();
    let mut fields: Vec<(String, String)> = Vec::new();
    for element in inside.split('<') {
        let kind = element.split([' ', '>']).next();
        // The first choice is sent, too.
        if let (Some("option"), Some((_, value))) = (kind, fields.last_mut())
            && value == "1"
        {
            *value = attribute(element, "value").unwrap_or("1").to_owned();
        }
        let is_field = matches!(kind, Some("input" | "textarea" | "select" | "button"));
        let Some(name) = attribute(element, "name").filter(|_| is_field) else {
            continue;
        };
        let value = match (attribute(element, "value"), attribute(element, "type")) {
            (Some(value), _) if !value.is_empty() => value,
            (_, Some("email")) => "new@example.org",
            _ => "1",
        };
        fields.push((name.to_owned(), value.to_owned()));
    }
    // Of several elements of a name, such as the choices of an expiry, the first is sent.
    let mut names = BTreeSet::new();
    fields.retain(|(name, _)| names.insert(name.clone()));
    PostForm {
        action: attribute(form, "action").unwrap().to_owned(),
        fields,
    }
}

#[track_caller]
fn assert_harmless(what: &str, page: &str) {
    for acting in ["<script>", "<img src=x", "</a></textarea>", "\"'>"] {
        assert!(!page.contains(acting), "{what} has {acting}: {page}");
    }
}

#[test]
fn no_text_acts_where_it_is_typed_or_shown() {
    let folder = Folder::new();
    let serving = demo(&folder);
    let mut browser = Browser::of(&serving, "ada@example.org");
    let project = browser.makes_project("A wallet");
    let root = format!("/dashboard/projects/{project}");
    browser.issues_key(&project, "production", "90d");
    let key = browser.key_labelled(&project, "production");
    let contract = "0x333c3310824b7c685133f2bedb2ca4b8b4df633d";
    let claim = browser.claims(&project, 1, contract);
    let declined = browser.claims(&project, 1, "0x52908400098527886e0f7030069857d2e4169ee7");
    browser.post(&format!("{declined}/queue"), &[("note", "Ours.")]);
    invites(&mut browser, &project, "bob@example.org", "member");
    browser.asks_for_tier(&project, "pro");
    let (webhook, _) = browser.creates_webhook(&project, "https://partner.example/hooks");
    browser.post(&format!("{webhook}/test"), &[]);
    browser.makes_config(&project, &parts(&charities(true)[..2], "1"));
    let stored = database(&folder);
    let passkey = "INSERT INTO passkey (id, account, name, credential_id, credential, created_at)
                   SELECT randomblob(16), id, 'A phone', randomblob(16), '{}', created_at FROM account";
    stored.execute(passkey, []).unwrap();
    let mut pages: Vec<_> = routes::paths("GET")
        .map(|path| path.replace("{project}", &project).replace("{key}", &key))
        .map(|path| path.replace("{webhook}", webhook.rsplit('/').next().unwrap()))
        .filter(|path| !path.contains('{') && !path.ends_with("/link"))
        .collect();
    pages.extend([
        claim,
        declined,
        format!("{root}/usage?by=key"),
        "/".to_owned(),
        "/charities".to_owned(),
    ]);
    // A project is deleted by its name, so that it gets a hostile one after that was tried.
    pages.sort_by_key(|path| path.ends_with("/rename"));

    // Every field of every form of every page, one after the other.
    let mut sent = BTreeSet::new();
    for path in &pages {
        for form in forms(&browser.get(path).body) {
            for number in 0..form.fields.len() {
                let field = |(at, (name, value)): (usize, &'_ (String, String))| {
                    let value = if at == number { HOSTILE } else { value };
                    (name.clone(), value.to_owned())
                };
                let fields: Vec<_> = form.fields.iter().enumerate().map(field).collect();
                let fields: Vec<_> = fields.iter().map(|(n, v)| (&**n, &**v)).collect();
                // A copy, so that no form signs out.
                let answer = browser.clone().post(&form.action, &fields);
                assert!(answer.status < 500, "{form:?}: {answer:?}");
                assert_harmless(&form.action, &answer.body);
                sent.insert((form.action.clone(), form.fields[number].0.clone()));
            }
        }
    }
    assert!(sent.len() > 25, "{sent:?}");

    let suspend = "INSERT INTO suspension (project, reason, since) SELECT id, 'Spam.', 0 FROM project WHERE deleted_at IS NULL";
    stored.execute(suspend, []).unwrap();
    let added = "INSERT INTO account_event (at, account, action, subject) SELECT 0, id, 'passkey-added', 'A phone' FROM account";
    stored.execute(added, []).unwrap();
    let linked = "INSERT INTO identity (id, account, issuer, subject, label, created_at)
                  SELECT randomblob(16), id, 'https://id.example', hex(id), 'Ada', created_at FROM account";
    stored.execute(linked, []).unwrap();
    for (table, column) in columns_of_strings(&stored) {
        let sql = format!("UPDATE {table} SET {column} = ?1");
        let rows = stored.execute(&sql, [HOSTILE]);
        let rows = rows.unwrap_or_else(|error| panic!("{table}.{column}: {error}"));
        assert!(rows > 0, "{table}.{column} has no rows");
    }
    let renamed = "UPDATE audit_event SET subject = ?1 WHERE action = 'project-created'";
    assert!(stored.execute(renamed, [HOSTILE]).unwrap() > 0);
    let decline =
        "UPDATE claim SET state = 'declined', decided_at = created_at WHERE state = 'waiting'";
    assert!(stored.execute(decline, []).unwrap() > 0);
    let mut shown = 0;
    for path in &pages {
        let answer = browser.get(path);
        // No browser runs what is in files of data.
        if answer
            .header("content-type")
            .is_some_and(|it| it.starts_with("text/html"))
        {
            assert_harmless(path, &answer.body);
            shown += answer.body.matches("alert(1)").count();
        }
    }
    assert!(shown > 30, "it is shown {shown} times");

    let mut operator = Browser::of_operator(&serving);
    let account = between(
        &operator.page("/dashboard/operator?q=ada@"),
        "/operator/accounts/",
        of_id,
    )
    .to_owned();
    let of_operators = routes::paths("GET").filter(|path| path.starts_with("/dashboard/operator"));
    let of_operators = of_operators.map(|path| {
        path.replace("{project}", &project)
            .replace("{account}", &account)
    });
    shown = 0;
    for path in of_operators.chain(["/dashboard/operator?q=script".to_owned()]) {
        let page = operator.page(&path);
        assert_harmless(&path, &page);
        shown += page.matches("alert(1)").count();
    }
    assert!(shown > 5, "operators are shown it {shown} times");
}
