//! `new` of a struct, from the members that have no value of their own, and `Default` where all have one.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// How many arguments a function may have for clippy.
pub(super) const MAX_ARGUMENTS: usize = 7;

/// A member of a struct.
pub(super) struct Member {
    pub(super) name: Ident,
    pub(super) ty: TokenStream,
    /// Its value in a new struct; without one it is an argument.
    pub(super) value: Option<TokenStream>,
}

impl Member {
    /// A member that is an empty map from texts at first.
    pub(super) fn map(name: Ident, of: &TokenStream) -> Member {
        Member {
            name,
            ty: quote!(std::collections::BTreeMap<String, #of>),
            value: Some(quote!(std::collections::BTreeMap::new())),
        }
    }
}

/// `new` and `Default`. A literal that ends in `..Self::new(…)` stays right where the document gets another
/// optional member.
pub(super) fn constructor(name: &Ident, doc: &str, members: &[Member]) -> TokenStream {
    let free: Vec<&Member> = members.iter().filter(|it| it.value.is_none()).collect();
    let many = (free.len() > MAX_ARGUMENTS)
        .then(|| quote!(#[allow(clippy::too_many_arguments, reason = "each member is required")]));
    let arguments = free
        .iter()
        .map(|Member { name, ty, .. }| quote!(#name: #ty));
    let values = members.iter().map(|member| {
        let name = &member.name;
        match &member.value {
            Some(value) => quote!(#name: #value),
            None => quote!(#name),
        }
    });
    let default = free.is_empty().then(|| {
        quote! {
            impl std::default::Default for #name {
                fn default() -> Self {
                    Self::new()
                }
            }
        }
    });
    quote! {
        impl #name {
            #[doc = #doc]
            #many
            pub fn new(#(#arguments),*) -> Self {
                Self { #(#values,)* }
            }
        }

        #default
    }
}
