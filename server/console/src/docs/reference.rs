//! The reference: overviews of operations and schemas, and a page for each of them.

use askama::Template;
use generated::operations::BASE_PATH;

use super::contract::{Answer, CONTRACT, Contract, KeyUse, Operation, Schema, TypeName};
use super::page_at;
use super::sidebar::Sidebar;
use crate::highlight;
use crate::site::{Content, Page, PageError, Shell, SiteInfo, policy};

#[derive(Template)]
#[template(path = "docs/reference.html")]
struct ReferencePage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    contract: &'static Contract,
}

#[derive(Template)]
#[template(path = "docs/operation.html")]
struct OperationPage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    operation: &'a Operation,
    /// Samples whose address is this server's.
    samples: Vec<(&'a str, &'a str, String)>,
    success: Option<&'a Answer>,
    /// The schemas of the body of the request.
    body: Vec<&'static Schema>,
    /// The schemas of the body of the successful response.
    answer: Vec<&'static Schema>,
    /// The responses that differ among operations, and those that do not.
    responses: [Vec<&'a Answer>; 2],
}

#[derive(Template)]
#[template(path = "docs/schema.html")]
struct SchemaPage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    schema: &'static Schema,
    /// The operations whose requests or responses have it.
    operations: Vec<&'static Operation>,
}

/// The statuses that mean the same in each operation. They are folded.
const COMMON: [&str; 7] = ["405", "406", "413", "415", "429", "500", "503"];

#[derive(Template)]
#[template(path = "docs/schemas.html")]
struct SchemasPage<'a> {
    shell: Shell<'a>,
    sidebar: Sidebar<'a>,
    contract: &'static Contract,
}

/// The host that samples of the contract name.
const LOCAL: &str = "http://127.0.0.1:8080";

/// The pages of the reference of a server, by their paths.
pub(super) fn pages(info: &SiteInfo) -> Vec<(String, Content)> {
    let root = "/docs/reference";
    let mut pages = vec![
        page_at(info, root.to_owned(), overview),
        page_at(info, format!("{root}/schemas"), schemas),
    ];
    pages.extend(CONTRACT.operations().map(|operation| {
        let render = move |info: &SiteInfo, path: &str| self::operation(info, path, operation);
        page_at(info, format!("{root}/{}", operation.id), render)
    }));
    pages.extend(CONTRACT.schemas.iter().map(|schema| {
        let render = move |info: &SiteInfo, path: &str| self::schema(info, path, schema);
        page_at(info, format!("{root}/schemas/{}", schema.name), render)
    }));
    pages
}

fn overview(info: &SiteInfo, path: &str) -> Result<Page, PageError> {
    let page = ReferencePage {
        shell: Shell::public(info, path),
        sidebar: Sidebar::of("reference"),
        contract: &CONTRACT,
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}

fn schemas(info: &SiteInfo, path: &str) -> Result<Page, PageError> {
    let page = SchemasPage {
        shell: Shell::public(info, path),
        sidebar: Sidebar::of("schemas"),
        contract: &CONTRACT,
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}

fn schema(info: &SiteInfo, path: &str, schema: &'static Schema) -> Result<Page, PageError> {
    let page = SchemaPage {
        shell: Shell::public(info, path),
        sidebar: Sidebar::of("schemas"),
        schema,
        operations: CONTRACT
            .operations()
            .filter(|operation| operation.uses(schema))
            .collect(),
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}

fn operation(info: &SiteInfo, path: &str, operation: &Operation) -> Result<Page, PageError> {
    let origin = info.api.trim_end_matches(BASE_PATH);
    let samples = operation.samples.iter().map(|sample| {
        let source = sample.source.replace(LOCAL, origin);
        let source = highlight::html(&sample.language, &source);
        (sample.label.as_str(), sample.language.as_str(), source)
    });
    let answers = operation.answers.iter();
    let (common, own) = answers.partition(|answer| COMMON.contains(&&*answer.status));
    let success = operation
        .answers
        .iter()
        .find(|answer| answer.status.starts_with('2'));
    let schemas = |type_name: Option<&TypeName>| {
        let found = type_name.map(|type_name| CONTRACT.schemas_of(type_name));
        found.unwrap_or_default()
    };
    let page = OperationPage {
        shell: Shell::public(info, path),
        sidebar: Sidebar::of(&operation.id),
        operation,
        samples: samples.collect(),
        success,
        body: schemas(operation.body.as_ref()),
        answer: schemas(success.and_then(|answer| answer.type_name.as_ref())),
        responses: [own, common],
    };
    Ok(Page::html(policy::DOCS, page.render()?))
}

impl KeyUse {
    /// A sentence about the key of a request.
    fn sentence(self) -> &'static str {
        match self {
            KeyUse::None => "Needs no key and is never counted.",
            KeyUse::Optional => "A key is optional.",
            KeyUse::Required => "Needs a key of a project.",
        }
    }
}

impl Operation {
    /// Whether its request or one of its responses names a schema, or one that is made of it.
    fn uses(&self, schema: &Schema) -> bool {
        let responses = self.answers.iter().filter_map(|it| it.type_name.as_ref());
        let mut types = responses.chain(&self.body);
        types.any(|type_name| CONTRACT.contains(type_name, schema))
    }

    /// Its location in the explorer.
    fn fragment(&self) -> String {
        let tag = self.tag.to_lowercase();
        format!("tag/{tag}/{}{}", self.method, self.path)
    }
}
