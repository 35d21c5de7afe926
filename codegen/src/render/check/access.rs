//! How a check gets at a value.

use crate::render::rust::ident;
use proc_macro2::TokenStream;
use quote::quote;

/// How an expression gets at the value that it checks.
pub(in crate::render) struct Access {
    /// In front of a method call.
    pub(super) receiver: TokenStream,
    /// As a reference.
    pub(in crate::render) reference: TokenStream,
    /// As the value itself.
    pub(in crate::render) place: TokenStream,
}

impl Access {
    /// The argument `value` of a closure, a reference.
    pub(in crate::render) fn closure() -> Access {
        Access {
            receiver: quote!(value),
            reference: quote!(value),
            place: quote!(*value),
        }
    }

    /// Another variable that is a reference.
    pub(in crate::render) fn variable(name: &str) -> Access {
        let name = ident(name);
        Access {
            receiver: quote!(#name),
            reference: quote!(#name),
            place: quote!(*#name),
        }
    }

    /// The text that a value was read from.
    pub(super) fn text(&self) -> Access {
        let receiver = &self.receiver;
        let text = quote!(#receiver.as_str());
        Access {
            receiver: text.clone(),
            reference: text.clone(),
            place: text,
        }
    }

    /// A field of `self`.
    pub(in crate::render) fn field(name: &proc_macro2::Ident) -> Access {
        let place = quote!(self.#name);
        Access {
            receiver: place.clone(),
            reference: quote!(&#place),
            place,
        }
    }
}
