//! Compares the schemas of a pair: their own differences, and the pairs of their members, items and variants.

use super::edit::{Edit, Effect, declaration, edits, is_in_both};
use super::exclusive::is_exclusive;
use super::pairs::{PairId, SchemaPairs, Step, UnionPair};
use super::variants::{self, Traits};
use sample::normal::{AllOf, NormalForm, Normalizer, Type, Union, Variant};
use std::collections::{BTreeMap, BTreeSet};

/// How many pairs are compared; a document with more is hostile.
const MAX_PAIRS: usize = 200_000;
/// The size of unions above which only variants with one name or index are compared.
const MAX_GRID: usize = 2_500;

/// Either version of a schema that one version may lack.
type Either<'a> = (Option<AllOf<'a>>, Option<AllOf<'a>>);

impl<'a> SchemaPairs<'a> {
    /// Compares the schemas of a pair.
    pub(super) fn compare(&mut self, id: PairId) {
        let Some(pair) = self.get(id).filter(|_| id <= MAX_PAIRS) else {
            return;
        };
        let schemas = (pair.before.clone(), pair.after.clone());
        let mut before = NormalForm::clone(&self.before.of(&schemas.0));
        let mut after = NormalForm::clone(&self.after.of(&schemas.1));
        self.wrap(&mut before, &mut after, &schemas);
        let mut edits = edits(&before, &after);
        let mut children = Vec::new();
        if is_in_both(&before, &after, Type::Object) {
            self.members(&before, &after, &mut edits, &mut children);
        }
        if is_in_both(&before, &after, Type::Array) {
            self.items(&before, &after, &mut edits, &mut children);
        }
        let opaque = self.opaque(&before, &after, &mut edits);
        let unions = self.union_pairs(&before, &after, &mut edits);
        if let Some(pair) = self.pairs.get_mut(id) {
            pair.edits = edits;
            pair.children = children;
            pair.opaque = opaque;
            pair.unions = unions;
        }
    }

    fn members(
        &mut self,
        before: &NormalForm<'a>,
        after: &NormalForm<'a>,
        edits: &mut Vec<Edit>,
        children: &mut Vec<(Step, PairId)>,
    ) {
        let names = before.properties.keys().chain(after.properties.keys());
        for name in names.collect::<BTreeSet<&String>>() {
            let (old, new) = (before.member(name), after.member(name));
            if is_false(old.as_ref()) && is_false(new.as_ref()) {
                continue;
            }
            let stays = before.properties.contains_key(name) && after.properties.contains_key(name);
            match (old, new) {
                (Some(old), Some(new)) if stays || !(old.is_false() || new.is_false()) => {
                    children.push((Step::Member(name.clone()), self.pair(old, new)));
                }
                (old, new) => {
                    let refused = (is_false(old.as_ref()), is_false(new.as_ref()));
                    edits.push(declaration(name, (before, after), new.is_some(), refused));
                }
            }
        }
        self.patterns(before, after, edits, children);
        let others = (before.other_members(), after.other_members());
        self.optional("additionalProperties", others, Step::Other, edits, children);
    }

    fn patterns(
        &mut self,
        before: &NormalForm<'a>,
        after: &NormalForm<'a>,
        edits: &mut Vec<Edit>,
        children: &mut Vec<(Step, PairId)>,
    ) {
        let patterns = before.patterns.keys().chain(after.patterns.keys());
        for pattern in patterns.collect::<BTreeSet<&String>>() {
            match (before.patterns.get(pattern), after.patterns.get(pattern)) {
                (Some(old), Some(new)) => {
                    let pair = self.pair(old.clone(), new.clone());
                    children.push((Step::Matching(pattern.clone()), pair));
                }
                (old, new) => {
                    let shown = |all: Option<&AllOf<'a>>| all.map(|_| format!("`{pattern}`"));
                    let mut edit = Edit::presence("patternProperties", shown(old), shown(new));
                    let others = match old {
                        Some(_) => after.other_members(),
                        None => before.other_members(),
                    };
                    // `additionalProperties` applies to the members that no pattern matches.
                    if let (Some(edit), Some(others)) = (&mut edit, others) {
                        edit.effect = match (others.is_false(), new.is_some()) {
                            (true, true) => Effect::Widens,
                            (true, false) => Effect::Narrows,
                            (false, _) => Effect::Both,
                        };
                    }
                    edits.extend(edit);
                }
            }
        }
    }

    fn items(
        &mut self,
        before: &NormalForm<'a>,
        after: &NormalForm<'a>,
        edits: &mut Vec<Edit>,
        children: &mut Vec<(Step, PairId)>,
    ) {
        let prefix = before.prefix_length().max(after.prefix_length());
        // The index behind the last prefix stands for all that follow.
        for index in 0..=prefix {
            let either = (before.item(index), after.item(index));
            self.optional("items", either, Step::Item(index), edits, children);
        }
    }

    /// Compares a schema that either version may lack; a missing one refuses nothing.
    fn optional(
        &mut self,
        keyword: &str,
        (old, new): Either<'a>,
        step: Step,
        edits: &mut Vec<Edit>,
        children: &mut Vec<(Step, PairId)>,
    ) {
        if old.is_none() && new.is_none() {
            return;
        }
        let is_refused = is_false(new.as_ref());
        if is_false(old.as_ref()) != is_refused {
            let (effect, verb) = match is_refused {
                true => (Effect::Narrows, "refused"),
                false => (Effect::Widens, "accepted"),
            };
            let message = format!("{keyword} that the schema does not name are now {verb}");
            edits.push(Edit::new(keyword, effect, message));
            return;
        }
        let pair = self.pair(old.unwrap_or_default(), new.unwrap_or_default());
        children.push((step, pair));
    }

    fn opaque(
        &mut self,
        before: &NormalForm<'a>,
        after: &NormalForm<'a>,
        edits: &mut Vec<Edit>,
    ) -> Vec<(String, PairId)> {
        let mut pairs = Vec::new();
        let keywords = before.opaque.keys().chain(after.opaque.keys());
        for keyword in keywords.collect::<BTreeSet<&String>>() {
            match (before.opaque.get(keyword), after.opaque.get(keyword)) {
                (Some(old), Some(new)) => {
                    pairs.push((keyword.clone(), self.pair(old.clone(), new.clone())));
                }
                (Some(_), None) => {
                    let message = format!("{keyword} was removed");
                    edits.push(Edit::new(keyword, Effect::Widens, message));
                }
                (None, _) => {
                    let message = format!("{keyword} was added");
                    edits.push(Edit::new(keyword, Effect::Narrows, message));
                }
            }
        }
        pairs
    }

    fn union_pairs(
        &mut self,
        before: &NormalForm<'a>,
        after: &NormalForm<'a>,
        edits: &mut Vec<Edit>,
    ) -> Vec<UnionPair<'a>> {
        let mut pairs = Vec::new();
        for index in 0..before.unions.len().max(after.unions.len()) {
            match (before.unions.get(index), after.unions.get(index)) {
                (Some(old), Some(new)) => {
                    edits.extend(self.exactness(old, new));
                    pairs.push(self.union_pair(old, new));
                }
                (Some(old), None) => {
                    let effect = match has_no_effect(&self.before, before, old) {
                        true => Effect::Docs,
                        false => Effect::Widens,
                    };
                    let message = "the union was removed".to_owned();
                    edits.push(Edit::new("oneOf", effect, message));
                }
                (None, Some(new)) => {
                    let effect = match has_no_effect(&self.after, after, new) {
                        true => Effect::Docs,
                        false => Effect::Narrows,
                    };
                    edits.push(Edit::new("oneOf", effect, "a union was added".to_owned()));
                }
                (None, None) => {}
            }
        }
        pairs
    }

    /// `anyOf` that became `oneOf`, or the reverse, unless no value fits two variants.
    fn exactness(&self, old: &Union<'a>, new: &Union<'a>) -> Option<Edit> {
        let (effect, message, is_exclusive) = match (old.exactly_one, new.exactly_one) {
            (false, true) => {
                let is_exclusive = is_exclusive(&self.after, new);
                (Effect::Narrows, "anyOf became oneOf", is_exclusive)
            }
            (true, false) => {
                let is_exclusive = is_exclusive(&self.before, old);
                (Effect::Widens, "oneOf became anyOf", is_exclusive)
            }
            _ => return None,
        };
        (!is_exclusive).then(|| Edit::new("oneOf", effect, message.to_owned()))
    }

    /// Takes a schema that became a union, or the reverse, for a union with one variant.
    fn wrap(
        &self,
        before: &mut NormalForm<'a>,
        after: &mut NormalForm<'a>,
        (old, new): &(AllOf<'a>, AllOf<'a>),
    ) {
        let is_union =
            |form: &NormalForm<'a>| form.unions.len() == 1 && form.is_only_types_and_unions();
        let is_plain =
            |form: &NormalForm<'a>| form.unions.is_empty() && !form.is_only_types_and_unions();
        if is_union(after) && is_plain(before) {
            *before = as_union(old, before, after, &self.after);
        } else if is_union(before) && is_plain(after) {
            *after = as_union(new, after, before, &self.before);
        }
    }

    fn union_pair(&mut self, before: &Union<'a>, after: &Union<'a>) -> UnionPair<'a> {
        let traits = |forms: &Normalizer<'a>, union: &Union<'a>| -> Vec<Traits> {
            let variants = union.variants.iter();
            variants.map(|variant| Traits::of(forms, variant)).collect()
        };
        let old = traits(&self.before, before);
        let new = traits(&self.after, after);
        let is_small = old.len() * new.len() <= MAX_GRID;
        let mut cells = BTreeMap::new();
        for (row, (was, old)) in before.variants.iter().zip(&old).enumerate() {
            for (column, (is, new)) in after.variants.iter().zip(&new).enumerate() {
                if is_small || row == column || old.have_one_name(new) {
                    let pair = self.pair(was.schemas.clone(), is.schemas.clone());
                    cells.insert((row, column), pair);
                }
            }
        }
        UnionPair {
            before: before.clone(),
            after: after.clone(),
            related: variants::related(&cells, &old, &new),
            cells,
        }
    }
}

fn is_false(all: Option<&AllOf<'_>>) -> bool {
    all.is_some_and(AllOf::is_false)
}

/// Whether a union refuses nothing that the schema around it accepts: some variant takes all of each type.
fn has_no_effect<'a>(forms: &Normalizer<'a>, around: &NormalForm<'a>, union: &Union<'a>) -> bool {
    let variants = union.variants.iter();
    let variants: Vec<_> = variants.map(|variant| forms.of(&variant.schemas)).collect();
    let takes_all = |ty: &Type, form: &NormalForm<'a>| {
        let is_whole = *ty != Type::Number || !form.integer || around.integer;
        let is_plain = form.unions.is_empty() && form.is_only_types_and_unions();
        is_plain && is_whole && form.types.contains(ty)
    };
    let mut types = around.types.iter();
    !union.exactly_one && types.all(|ty| variants.iter().any(|form| takes_all(ty, form)))
}

/// Schemas as a union of one variant like another union. The types of the variant are compared with it,
/// unless the other union has variants with types that do not count.
fn as_union<'a>(
    all: &AllOf<'a>,
    form: &NormalForm<'a>,
    like: &NormalForm<'a>,
    forms: &Normalizer<'a>,
) -> NormalForm<'a> {
    let mut variants = like.unions.iter().flat_map(|union| &union.variants);
    let keeps_types =
        variants.all(|variant| forms.of(&variant.schemas).types.is_subset(&like.types));
    let types = match keeps_types || form.types.is_subset(&like.types) {
        true => like.types.clone(),
        false => form.types.clone(),
    };
    let variant = Variant {
        name: None,
        schemas: all.clone(),
        tags: BTreeSet::new(),
        is_default: false,
    };
    NormalForm {
        types,
        annotations: like.annotations.clone(),
        unions: vec![Union {
            exactly_one: like.unions.iter().any(|union| union.exactly_one),
            variants: vec![variant],
        }],
        ..NormalForm::any()
    }
}
