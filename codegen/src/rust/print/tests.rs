use super::flatten;
use proc_macro2::TokenStream;
use quote::quote;
use std::fs;
use std::path::Path;

fn printed(tokens: TokenStream) -> String {
    let flat = flatten(tokens, super::Flat::default());
    let mut out = String::new();
    for item in flat.items() {
        flat.print(item, &mut out);
    }
    out
}

/// What `prettyplease` makes of some tokens: the same of all that are the same syntax.
fn normal(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

#[track_caller]
fn check(tokens: TokenStream, expected: &str) {
    let text = printed(tokens.clone());
    assert_eq!(text, expected.trim_start_matches('\n'));
    assert_eq!(normal(text.parse().unwrap()), normal(tokens));
}

#[test]
fn what_fits_stays_on_its_line() {
    check(
        quote! {
            pub type A<'a> = Map<String, Vec<Vec<&'a (dyn Fn(i64) -> Result<u8, !> + 'static)>>>;
            const MEMBERS: &'static [&'static str] = &["a", "b",];
            static T: [P; 2] = [P { name: "a", shape: S::A(&[1, 2]), ..P::NEW }, P::B(1,)];
            use crate::{a, b::C as D};
            pub(crate) struct Unit;
            const ONE: (u8,) = (1,);
        },
        r#"
pub type A<'a> = Map<String, Vec<Vec<&'a (dyn Fn(i64) -> Result<u8, !> + 'static)>>>;
const MEMBERS: &'static [&'static str] = &["a", "b"];
static T: [P; 2] = [P { name: "a", shape: S::A(&[1, 2]), ..P::NEW }, P::B(1)];
use crate::{a, b::C as D};
pub(crate) struct Unit;
const ONE: (u8,) = (1,);
"#,
    );
}

#[test]
fn definitions_are_tall() {
    check(
        quote! {
            /// A type.
            #[derive(Debug)]
            pub enum E { #[doc = " \"One\"."] A(u8), B { b: Option<T> }, }
            impl<T: A + B> C for D<T> where T: 'static {
                type Of = T;
                fn short(&self) -> &T { &self.0 }
                fn none() {}
            }
            pub trait T: Send {
                fn long(&self, argument: Option<SomethingWithALongName>) -> impl Future<Output = Result<A, Self::Error>> + Send;
            }
        },
        r#"
/// A type.
#[derive(Debug)]
pub enum E {
    /// "One".
    A(u8),
    B { b: Option<T> },
}
impl<T: A + B> C for D<T> where T: 'static {
    type Of = T;

    fn short(&self) -> &T {
        &self.0
    }

    fn none() {}
}
pub trait T: Send {
    fn long(
        &self,
        argument: Option<SomethingWithALongName>,
    ) -> impl Future<Output = Result<A, Self::Error>> + Send;
}
"#,
    );
}

#[test]
fn a_comment_may_have_many_lines() {
    let text = printed(quote! {
        pub struct A { #[doc = " One.\n\n Two."] pub a: u8 }
    });
    let expected = "pub struct A {\n    /// One.\n    ///\n    /// Two.\n    pub a: u8,\n}\n";
    assert_eq!(text, expected);
}

#[test]
fn lines_end_at_the_loosest_place() {
    check(
        quote! {
            fn f() -> bool {
                self.first_thing.iter().all(|value| is_something(value)) && (self.second_thing < 5 || !self.third)
                    && self.last.is_none_or(|value| value.len() > 3)
            }
            fn g() {
                let (Some(first), Some(second)) = (first_of_all_the_things_that_are_there, second_of_them_all) else {
                    return Err(Fault::Internal);
                };
                let answer = CharitiesApi::charities_list(&*host, principal, Params { a, b }).await.map_err(fault::failed)?;
                let spec: Option<Option<String>> = reader.optional(spec, |value| check::length(value, 1, 10240));
                while let Some(member) = members.member()? {
                    match member { 0 | 1 => members.put(&mut it)?, 2 if x => {} _ => Outcome::Something(Members { one: of_the_members()?, other: of_them()? }) }
                }
                if matches!(a, A { .. }) { b() } else if let B { c } = d { e(); }
            }
        },
        r#"
fn f() -> bool {
    self.first_thing.iter().all(|value| is_something(value))
        && (self.second_thing < 5 || !self.third)
        && self.last.is_none_or(|value| value.len() > 3)
}
fn g() {
    let (Some(first), Some(second)) =
        (first_of_all_the_things_that_are_there, second_of_them_all)
    else {
        return Err(Fault::Internal);
    };
    let answer = CharitiesApi::charities_list(&*host, principal, Params { a, b })
        .await
        .map_err(fault::failed)?;
    let spec: Option<Option<String>> =
        reader.optional(spec, |value| check::length(value, 1, 10240));
    while let Some(member) = members.member()? {
        match member {
            0 | 1 => members.put(&mut it)?,
            2 if x => {}
            _ => Outcome::Something(Members { one: of_the_members()?, other: of_them()? }),
        }
    }
    if matches!(a, A { .. }) {
        b()
    } else if let B { c } = d {
        e();
    }
}
"#,
    );
}

/// Whatever is committed of the generator's output is what the printer makes of it again, and the
/// same syntax.
#[test]
fn what_is_printed_is_printed_the_same_again() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![here.join("tests/golden"), here.join("../generated/src")];
    let mut count = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("lib.rs") {
            let text = fs::read_to_string(&path).unwrap();
            let items = text.lines().skip_while(|line| line.starts_with("//"));
            let items: String = items.flat_map(|line| [line, "\n"]).collect();
            let tokens: TokenStream = items.parse().unwrap();
            let again = printed(tokens.clone());
            let lines = |text: &str| -> Vec<String> {
                let lines = text.lines().filter(|line| !line.is_empty());
                lines.map(str::to_owned).collect()
            };
            assert_eq!(lines(&again), lines(&items), "{}", path.display());
            assert_eq!(
                normal(again.parse().unwrap()),
                normal(tokens),
                "{}",
                path.display()
            );
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}
