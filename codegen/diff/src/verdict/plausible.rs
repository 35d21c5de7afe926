//! Values that a real sender might send. A value that sets members which its own schema does not declare,
//! or that fits two variants of an untagged union of open objects, is valid and proves nothing.

use sample::normal::{AllOf, NormalForm, Normalizer, Union};
use sample::{Distinguisher, Sampler, Style, matches};
use serde_json::Value;
use std::rc::Rc;

/// How many levels of unions inside variants are followed.
const MAX_DEPTH: usize = 4;

/// Whether a sender with these schemas might send a value.
pub(super) fn is_sent<'a>(forms: &Normalizer<'a>, all: &AllOf<'a>, value: &Value) -> bool {
    let sampler = Sampler::new(forms, Style::default());
    let check = Check {
        forms,
        distinguisher: Distinguisher::new(&sampler, forms),
        is_sender: true,
    };
    check.is_plausible(all, value)
}

/// Whether a value fits no two variants of an untagged `oneOf` of open objects.
pub(super) fn is_unambiguous<'a>(forms: &Normalizer<'a>, all: &AllOf<'a>, value: &Value) -> bool {
    let sampler = Sampler::new(forms, Style::default());
    let check = Check {
        forms,
        distinguisher: Distinguisher::new(&sampler, forms),
        is_sender: false,
    };
    check.is_plausible(all, value)
}

struct Check<'c, 'a> {
    forms: &'c Normalizer<'a>,
    distinguisher: Distinguisher<'c, 'a>,
    /// Whether it is the sender's value: members must be declared, and `anyOf` has one variant for it.
    is_sender: bool,
}

impl<'a> Check<'_, 'a> {
    fn is_plausible(&self, all: &AllOf<'a>, value: &Value) -> bool {
        if !value.is_object() && !value.is_array() {
            return true;
        }
        let form = self.forms.of(all);
        if self.fits_several(&form, value) {
            return false;
        }
        let mut forms = vec![Rc::clone(&form)];
        self.add_variants(&form, value, &mut forms, MAX_DEPTH);
        let part = |schemas: AllOf<'a>, part: &Value| self.is_plausible(&schemas, part);
        match value {
            Value::Object(members) => members.iter().all(|(name, member)| {
                (!self.is_sender || self.is_declared(&forms, name))
                    && part(joined(&forms, |form| form.member(name)), member)
            }),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .all(|(index, item)| part(joined(&forms, |form| form.item(index)), item)),
            _ => true,
        }
    }

    /// Whether a value is an object that fits two variants of an untagged union.
    fn fits_several(&self, form: &NormalForm<'a>, value: &Value) -> bool {
        let unions = form.unions.iter().filter(|union| !union.is_tagged());
        let mut unions = unions.filter(|union| self.is_sender || union.exactly_one);
        value.is_object() && unions.any(|union| self.fitting(union, value).nth(1).is_some())
    }

    fn fitting<'u>(
        &'u self,
        union: &'u Union<'a>,
        value: &'u Value,
    ) -> impl Iterator<Item = &'u AllOf<'a>> {
        let variants = union.variants.iter().map(|variant| &variant.schemas);
        variants.filter(|schemas| !self.distinguisher.is_refused(schemas, value))
    }

    /// Adds the variants that a value fits, and theirs.
    fn add_variants(
        &self,
        form: &NormalForm<'a>,
        value: &Value,
        forms: &mut Vec<Rc<NormalForm<'a>>>,
        depth: usize,
    ) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        for union in &form.unions {
            for schemas in self.fitting(union, value) {
                let variant = self.forms.of(schemas);
                self.add_variants(&variant, value, forms, depth);
                forms.push(variant);
            }
        }
    }

    /// Whether a member is declared by its name, or belongs to a map: an object that names no members, or has
    /// a schema for others.
    fn is_declared(&self, forms: &[Rc<NormalForm<'a>>], name: &str) -> bool {
        let names = |form: &NormalForm<'a>| {
            form.properties.contains_key(name)
                || form.required.contains(name)
                || form.annotations.declares_additional
                || is_tag(form, name)
                || form
                    .patterns
                    .keys()
                    .any(|pattern| matches(pattern, name).unwrap_or(false))
                || form
                    .dependencies()
                    .any(|(one, other)| one == name || other == name)
        };
        let is_map = forms.iter().all(|form| form.properties.is_empty());
        is_map
            || forms.iter().any(|form| {
                let conditions = form.opaque.values();
                names(form) || conditions.into_iter().any(|all| names(&self.forms.of(all)))
            })
    }
}

/// Whether a member is the property of a discriminator.
fn is_tag(form: &NormalForm<'_>, name: &str) -> bool {
    let variants = form.unions.iter().flat_map(|union| &union.variants);
    let mut tags = variants.flat_map(|variant| &variant.tags);
    tags.any(|(property, _)| property == name)
}

/// The schemas of several forms for a part.
fn joined<'a>(
    forms: &[Rc<NormalForm<'a>>],
    part: impl Fn(&NormalForm<'a>) -> Option<AllOf<'a>>,
) -> AllOf<'a> {
    let mut all = AllOf::default();
    for schemas in forms.iter().filter_map(|form| part(form)) {
        all.add(&schemas);
    }
    all
}
