//! How a check gets at a value.

use crate::rust::tokens::ident;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The value that an expression checks. Most types have nothing to check: its tokens are made when
/// they are asked for.
#[derive(Clone, Copy)]
pub(in crate::rust) enum Access<'a> {
    /// The argument `value` of a closure, a reference.
    Closure,
    /// Another variable that is a reference.
    Variable(&'a str),
    /// A field of `self`.
    Field(&'a Ident),
    /// The text that a value was read from.
    Text(&'a Access<'a>),
}

impl Access<'_> {
    /// In front of a method call.
    pub(super) fn receiver(self) -> TokenStream {
        match self {
            Self::Closure => quote!(value),
            Self::Variable(name) => {
                let name = ident(name);
                quote!(#name)
            }
            Self::Field(name) => quote!(self.#name),
            Self::Text(value) => {
                let receiver = value.receiver();
                quote!(#receiver.as_str())
            }
        }
    }

    /// As a reference.
    pub(in crate::rust) fn reference(self) -> TokenStream {
        match self {
            Self::Closure | Self::Variable(_) | Self::Text(_) => self.receiver(),
            Self::Field(name) => quote!(&self.#name),
        }
    }

    /// As the value itself.
    pub(in crate::rust) fn place(self) -> TokenStream {
        match self {
            Self::Closure => quote!(*value),
            Self::Variable(name) => {
                let name = ident(name);
                quote!(*#name)
            }
            Self::Field(_) | Self::Text(_) => self.receiver(),
        }
    }
}
