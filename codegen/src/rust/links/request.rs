//! The request that a link leads to, as a struct of the arguments of the client's method.

use super::super::deprecation;
use super::super::doc_comment::doc;
use super::super::{api, client};
use super::module;
use crate::ir::{Api, Operation};
use crate::rust::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

pub(super) fn name(operation: &Operation) -> Ident {
    names::pascal_with(&operation.name, "Request")
}

/// The request of an operation, which can be changed before it is sent.
pub(super) fn definition(api: &Api, operation: &Operation) -> TokenStream {
    let (name, method) = (name(operation), names::method(operation));
    let text = doc(&format!("A request of `{}`.", operation.id));
    let module = module(api, operation);
    let answer = api::response_name(operation);
    let fields = client::arguments(api, &module, operation).into_iter();
    let (names, types): (Vec<_>, Vec<_>) = fields.unzip();
    let (docs, deprecated) = (docs(operation), deprecation::of_operation(operation));
    quote! {
        #text
        #[derive(Debug)]
        pub struct #name { #(#docs pub #names: #types,)* }

        impl #name {
            /// Sends the request.
            ///
            /// # Errors
            /// Returns the errors of the client's method of the operation.
            #deprecated
            pub async fn send<T: runtime::Transport>(
                self,
                client: &client::Client<T>,
            ) -> Result<#module::#answer, client::ClientError<T::Error>> {
                client.#method(#(self.#names),*).await
            }
        }
    }
}

/// The doc comments of the fields of a request.
fn docs(operation: &Operation) -> Vec<TokenStream> {
    let path = operation.path_params.iter();
    let mut docs: Vec<_> = path
        .map(|param| match param.field.doc.trim() {
            "" => doc(&format!("`{}`.", param.field.wire)),
            text => doc(text),
        })
        .collect();
    let params = match docs.is_empty() {
        true => doc("The parameters."),
        false => doc("The parameters that are not in the path."),
    };
    docs.extend((!operation.params.is_empty()).then_some(params));
    docs.extend(operation.body.as_ref().map(|_| doc("The body.")));
    docs
}
