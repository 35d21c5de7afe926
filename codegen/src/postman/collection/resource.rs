//! Resources of paths, and the responses that have their ids.

use super::super::chain::{body_pointer, expression, is_success, operation};
use super::super::fields::{fields_of, is_scalar};
use crate::ir::{Api, Content, DescribedLink, Operation};

/// A resource whose id is in the response to an operation.
pub(super) struct Resource<'a> {
    /// The path template up to the id, such as `/books/{bookId}`.
    pub(super) path: &'a str,
    /// The operation whose response has the id.
    pub(super) source: &'a Operation,
    /// Path parameters and their values.
    pub(super) values: Vec<(&'a str, Value<'a>)>,
}

/// The value of a path parameter.
pub(super) enum Value<'a> {
    /// The value at a JSON Pointer in the body of the source's response.
    Body(String),
    /// The value of a path parameter in the source's request.
    Request(&'a str),
}

impl Resource<'_> {
    /// Whether its source creates it. Other sources find it.
    pub(super) fn is_created(&self) -> bool {
        let parent = self.path.rsplit_once('/').map(|(parent, _)| parent);
        self.source.method == "POST" && parent == Some(&self.source.path)
    }
}

/// The resources of a contract, those nearer to the root first.
pub(super) fn resources(api: &Api) -> Vec<Resource<'_>> {
    let mut found = linked(api);
    found.extend(conventional(api));
    let tag = |resource: &Resource<'_>| {
        let mut operations = api.operations.iter();
        let own = operations.find(|it| is_below(&it.path, resource.path));
        own.map(|operation| operation.tag.clone())
    };
    // The sort is stable: the first of several sources in the document remains first.
    found.sort_by_cached_key(|it| {
        let elsewhere = tag(it).is_none_or(|tag| tag != it.source.tag);
        (
            it.path.matches('/').count(),
            it.path,
            !it.is_created(),
            elsewhere,
        )
    });
    found.dedup_by_key(|resource| resource.path);
    found
}

/// Whether a path is a resource's or below it.
pub(super) fn is_below(path: &str, resource: &str) -> bool {
    let rest = path.strip_prefix(resource);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Resources whose ids are given by links (OpenAPI 3.1.1 §4.8.20).
fn linked(api: &Api) -> Vec<Resource<'_>> {
    let served = api.operations.iter().filter(|operation| operation.served);
    let links = served.flat_map(|source| {
        let responses = source.responses.iter().filter(|it| is_success(it));
        let links = responses.flat_map(|response| &response.links);
        links.filter_map(move |link| from_link(api, source, link))
    });
    links.collect()
}

fn from_link<'a>(
    api: &'a Api,
    source: &'a Operation,
    link: &'a DescribedLink,
) -> Option<Resource<'a>> {
    let target = operation(api, link.operation_id.as_deref()?)?;
    let values = target.path_params.iter().filter_map(|param| {
        let expression = expression(link, param)?;
        let body = body_pointer(expression).map(|pointer| Value::Body(pointer.to_owned()));
        let request = || {
            expression
                .strip_prefix("$request.path.")
                .map(Value::Request)
        };
        Some((param.field.wire.as_str(), body.or_else(request)?))
    });
    let values: Vec<_> = values.collect();
    let is_of_body = |(_, value): &&(&str, Value<'_>)| matches!(value, Value::Body(_));
    let (last, _) = values.iter().rfind(is_of_body)?;
    let path = up_to(&target.path, last)?;
    (!is_below(&source.path, path)).then_some(Resource {
        path,
        source,
        values,
    })
}

/// A path up to a parameter that is a whole segment.
fn up_to<'a>(path: &'a str, param: &str) -> Option<&'a str> {
    let segment = format!("/{{{param}}}");
    let end = path.find(&segment)? + segment.len();
    let (path, rest) = path.split_at(end);
    (rest.is_empty() || rest.starts_with('/')).then_some(path)
}

/// Resources without links: the response to `POST /books` has the property `bookId` or `id`, and there is a path
/// `/books/{bookId}`.
fn conventional(api: &Api) -> Vec<Resource<'_>> {
    let served = || api.operations.iter().filter(|operation| operation.served);
    let created = served().filter(|source| source.method == "POST");
    let resources = created.filter_map(|source| {
        let mut targets = served().filter_map(|target| {
            let rest = target.path.strip_prefix(&source.path)?.strip_prefix("/{")?;
            let (param, _) = rest.split_once('}')?;
            Some((up_to(&target.path, param)?, param))
        });
        let (path, param) = targets.next()?;
        let inherited = source.path_params.iter().map(|inherited| {
            let name = inherited.field.wire.as_str();
            (name, Value::Request(name))
        });
        let mut values: Vec<_> = inherited.collect();
        values.push((param, Value::Body(id_pointer(api, source, param)?)));
        Some(Resource {
            path,
            source,
            values,
        })
    });
    resources.collect()
}

/// The JSON Pointer of the id in the response to a creation.
fn id_pointer(api: &Api, source: &Operation, param: &str) -> Option<String> {
    let responses = source.responses.iter().filter(|it| is_success(it));
    let mut media = responses.flat_map(|response| &response.media);
    let ty = media.find_map(|media| match &media.content {
        Content::Json(ty, _) => Some(ty),
        _ => None,
    });
    let fields = fields_of(api, ty?);
    let names = [param, "id"].into_iter();
    let mut fields = names.filter_map(|name| fields.iter().find(|field| field.wire == name));
    let field = fields.find(|field| is_scalar(api, &field.ty))?;
    let step = field.wire.replace('~', "~0").replace('/', "~1");
    Some(format!("/{step}"))
}
