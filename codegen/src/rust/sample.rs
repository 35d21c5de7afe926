//! A sample of a request: a program that calls an operation with the generated client.

use super::api;
use super::tokens::{ident, model};
use crate::ir::{
    Api, Content, ExampleRequest, IntegerType, Media, ModelShape, Operation, Param, Scheme,
    SchemeKind, Server, Type, TypeKind, uri,
};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value;

/// The longest JSON that is written on one line.
const MAX_LINE: usize = 60;

/// The program, for a crate that depends on the generated one, on `tokio` and on `serde_json`. Its first lines are the
/// command that generates the client from the published document.
pub(crate) fn sample(api: &Api, request: &ExampleRequest<'_>, crate_name: &str) -> String {
    let operation = request.operation;
    let library = ident(&crate_name.replace('-', "_"));
    let module = module(api, operation);
    let method = names::method(operation);
    let credentials = request.schemes.iter().map(|scheme| credential(scheme));
    let origin = origin(api, operation);
    let params = (!operation.params.is_empty()).then(|| api::params_name(operation));
    let import = params
        .as_ref()
        .map(|name| quote!(use #library::#module::#name;));
    let arguments = arguments(api, request, &quote!(#library));
    let program = quote! {
        #import
        use #library::client::{Client, HttpTransport};

        #[tokio::main]
        async fn main() -> Result<(), Box<dyn std::error::Error>> {
            let client = Client::new(#origin, HttpTransport::new()) #(#credentials)*;
            let response = client.#method(#(#arguments),*).await?;
            println!("{response:#?}");
            Ok(())
        }
    };
    let file = syn::parse2(program);
    let text = file.map_or_else(|_| String::new(), |file| prettyplease::unparse(&file));
    let program = text
        .replace("\n#[tokio", "\n\n#[tokio")
        .replace("\n\n\n", "\n\n");
    format!(
        "// The client is generated from the OpenAPI document:\n\
         // openapi-crate gen --spec openapi.json --out {crate_name} --name {crate_name}\n{}",
        program.trim_end()
    )
}

fn module(api: &Api, operation: &Operation) -> TokenStream {
    let group = api.groups.iter().find(|group| group.tag == operation.tag);
    let module = group.map_or_else(|| ident("api"), names::module);
    quote!(api::#module)
}

/// The server without the base path, which the client adds.
fn origin(api: &Api, operation: &Operation) -> String {
    let server = operation.server.as_ref().or(api.servers.first());
    let Some(server) = server else {
        return uri::DEFAULT_SERVER.to_owned();
    };
    let (url, path) = (server.absolute_url(), Server::path(server));
    url.strip_suffix(path.as_str()).unwrap_or(&url).to_owned()
}

/// The call that gives the client a credential from the environment.
fn credential(scheme: &Scheme) -> TokenStream {
    let with = names::with_credential(scheme);
    let variable = |suffix: &str| {
        let name = format!("{}{suffix}", scheme.name.ascii().upper());
        quote!(&std::env::var(#name)?)
    };
    match scheme.kind {
        SchemeKind::Basic => {
            let (user, password) = (variable("_USER"), variable("_PASSWORD"));
            quote!(.#with(#user, #password)?)
        }
        _ => {
            let secret = variable("");
            quote!(.#with(#secret)?)
        }
    }
}

/// The arguments of the method: the parameters in the path, the others as one, the body.
fn arguments(api: &Api, request: &ExampleRequest<'_>, library: &TokenStream) -> Vec<TokenStream> {
    let operation = request.operation;
    let given = |param: &Param| {
        let same = |(other, _): &&(&Param, Value)| std::ptr::eq(*other, param);
        request.params.iter().find(same).map(|(_, value)| value)
    };
    let in_path = operation.path_params.iter();
    let mut arguments: Vec<_> = in_path
        .filter_map(|param| Some(value(api, library, &param.field.ty, given(param)?)))
        .collect();
    if !operation.params.is_empty() {
        let name = api::params_name(operation);
        let fields = operation.params.iter().map(|param| {
            let field = names::param(param);
            let value = match given(param).or(param.default.as_ref()) {
                Some(given) => value(api, library, &param.field.ty, given),
                None => quote!(None),
            };
            quote!(#field: #value)
        });
        arguments.push(quote!(#name { #(#fields),* }));
    }
    match (&request.body, &operation.body) {
        (Some((media, value)), _) => arguments.push(body(api, library, operation, media, value)),
        (None, Some(_)) => arguments.push(quote!(None)),
        (None, None) => {}
    }
    arguments
}

fn body(
    api: &Api,
    library: &TokenStream,
    operation: &Operation,
    media: &Media,
    sent: &Value,
) -> TokenStream {
    let content = match &media.content {
        Content::Json(ty, _) | Content::Form(ty, ..) | Content::Scalar(ty, _) => {
            value(api, library, ty, sent)
        }
        _ => text(sent.as_str().unwrap_or_default()),
    };
    match &operation.body {
        Some(body) if body.media.len() > 1 => {
            let (module, kind) = (module(api, operation), names::pascal(&body.name));
            let variant = names::pascal(&media.name);
            quote!(#library::#module::#kind::#variant(#content))
        }
        _ => content,
    }
}

/// A value of a type as an expression, read from JSON where Rust has no shorter one.
fn value(api: &Api, library: &TokenStream, ty: &Type, value: &Value) -> TokenStream {
    let read = || {
        let json = Some(value.to_string()).filter(|json| json.len() <= MAX_LINE);
        let json = raw(&json.unwrap_or_else(|| format!("{value:#}")));
        quote!(serde_json::from_str(#json)?)
    };
    match (&ty.kind, value) {
        (TypeKind::Bool, Value::Bool(value)) => quote!(#value),
        (TypeKind::String, Value::String(value)) => text(value),
        (TypeKind::Integer(kind), Value::Number(number)) => {
            match (kind, number.as_i64().map(Literal::i64_unsuffixed)) {
                (IntegerType::Any, Some(literal)) => quote!(#literal.into()),
                (_, Some(literal)) => quote!(#literal),
                (_, None) => read(),
            }
        }
        (TypeKind::Model(id), Value::String(value)) => {
            let shape = api.models.get(id.0).map(|model| &model.shape);
            let Some(ModelShape::Enum(variants)) = shape else {
                return read();
            };
            let Some(variant) = variants.iter().find(|variant| variant.wire == *value) else {
                return read();
            };
            let (model, variant) = (model(api, *id), names::pascal(&variant.name));
            quote!(#library::models::#model::#variant)
        }
        _ => read(),
    }
}

fn text(value: &str) -> TokenStream {
    quote!(#value.to_owned())
}

/// A raw string, which shows JSON as it is.
fn raw(text: &str) -> TokenStream {
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    let literal: Option<Literal> = format!("r{hashes}\"{text}\"{hashes}").parse().ok();
    literal.map_or_else(|| quote!(#text), |literal| quote!(#literal))
}
