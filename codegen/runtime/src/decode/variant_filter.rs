//! Filters that rule out a variant of a union quickly: by the type of a value,
//! and the names and types of its members.

use std::cmp::Reverse;

use crate::decode::buffered::Buffered;
use json_schema::number::decimal::Decimal;

/// The types of JSON values (RFC 8259, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// Any number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl ValueType {
    /// The kind of a value.
    pub(crate) const fn of(value: &Buffered<'_>) -> Self {
        match value {
            Buffered::Null => Self::Null,
            Buffered::Bool(_) => Self::Boolean,
            Buffered::Unsigned(_)
            | Buffered::Signed(_)
            | Buffered::Float(_)
            | Buffered::Number(_) => Self::Number,
            Buffered::Text(_) => Self::String,
            Buffered::List(_) => Self::Array,
            Buffered::Object(_) => Self::Object,
        }
    }
}

/// The properties that all values of a variant have. A value without them is
/// not of the variant; one with them may still not be.
#[derive(Debug)]
pub struct VariantFilter {
    /// The types that it may have.
    pub types: &'static [ValueType],
    /// The members that an object must have.
    pub required: &'static [&'static str],
    /// The only members that an object may have; `None` where others are
    /// fine.
    pub closed: Option<&'static [&'static str]>,
    /// The types that members may have.
    pub members: &'static [(&'static str, &'static [ValueType])],
    /// The values that members may have.
    pub constants: &'static [(&'static str, &'static [Constant])],
    /// The members that its type keeps; `None` where it keeps all.
    pub kept: Option<&'static [&'static str]>,
}

/// A value that a member may have.
#[derive(Debug)]
pub enum Constant {
    /// `true` or `false`
    Boolean(bool),
    /// A whole number, however it is written.
    Integer(i64),
    /// A string.
    Text(&'static str),
}

impl Constant {
    fn is(&self, value: &Buffered<'_>) -> bool {
        match (self, value) {
            (Self::Boolean(own), Buffered::Bool(value)) => own == value,
            (Self::Text(own), Buffered::Text(text)) => own == text,
            (Self::Integer(own), Buffered::Signed(value)) => own == value,
            (Self::Integer(own), Buffered::Unsigned(value)) => u64::try_from(*own) == Ok(*value),
            // 64 bits are more than a float tells apart, so one that is near may be the number.
            (Self::Integer(own), Buffered::Float(value)) => *own as f64 == *value,
            (Self::Integer(own), Buffered::Number(number)) => {
                Decimal::of(number) == Some(i128::from(*own).into())
            }
            _ => false,
        }
    }
}

impl VariantFilter {
    /// The filter that rules out all values but objects.
    pub const OBJECT: Self = Self {
        types: &[ValueType::Object],
        required: &[],
        closed: None,
        members: &[],
        constants: &[],
        kept: None,
    };

    /// Whether the variant is not ruled out.
    fn fits(&self, value: &Buffered<'_>) -> bool {
        if !self.types.contains(&ValueType::of(value)) {
            return false;
        }
        let Buffered::Object(members) = value else {
            return true;
        };
        self.required
            .iter()
            .all(|name| members.iter().any(|(own, _)| own == name))
            && members
                .iter()
                .all(|(name, member)| self.admits(name, member))
    }

    /// How many members of an object the variant's type keeps.
    fn keeps(&self, value: &Buffered<'_>) -> usize {
        let Buffered::Object(members) = value else {
            return 0;
        };
        let names = members.iter().map(|(name, _)| &**name);
        let kept = names.filter(|name| self.kept.is_none_or(|kept| kept.contains(name)));
        kept.count()
    }

    fn admits(&self, name: &str, member: &Buffered<'_>) -> bool {
        self.closed.is_none_or(|names| names.contains(&name))
            && self
                .members
                .iter()
                .filter(|(own, _)| *own == name)
                .all(|(_, types)| types.contains(&ValueType::of(member)))
            && self
                .constants
                .iter()
                .filter(|(own, _)| *own == name)
                .all(|(_, constants)| constants.iter().any(|constant| constant.is(member)))
    }
}

/// The variants that their filters do not rule out, those first whose types keep most of the value; in their own
/// order where `exactly_one` may take it.
pub(crate) fn ranked(
    value: &Buffered<'_>,
    filters: &[VariantFilter],
    exactly_one: bool,
) -> Vec<usize> {
    match exactly_one {
        true => left(value, filters).collect(),
        false => by_kept(value, filters, |filter| filter.fits(value)),
    }
}

/// The variants with such filters, those first whose types keep most of the value.
fn by_kept(
    value: &Buffered<'_>,
    filters: &[VariantFilter],
    is_wanted: impl Fn(&VariantFilter) -> bool,
) -> Vec<usize> {
    let variants = filters.iter().enumerate();
    let mut variants: Vec<_> = variants.filter(|(_, filter)| is_wanted(filter)).collect();
    variants.sort_by_key(|(_, filter)| Reverse(filter.keeps(value)));
    variants.into_iter().map(|(variant, _)| variant).collect()
}

/// The order in which a tolerant reader tries variants: those that match their filters, then the others. A variant
/// that keeps no property of an object is among the others, because it matches every object.
pub(crate) fn by_likelihood(
    value: &Buffered<'_>,
    filters: &[VariantFilter],
) -> (Vec<usize>, Vec<usize>) {
    let is_empty = matches!(value, Buffered::Object(members) if members.is_empty());
    let is_object = matches!(value, Buffered::Object(_));
    let is_likely = |filter: &VariantFilter| {
        filter.fits(value) && (!is_object || is_empty || filter.keeps(value) > 0)
    };
    let likely = by_kept(value, filters, is_likely);
    let unlikely = by_kept(value, filters, |filter| !is_likely(filter));
    (likely, unlikely)
}

/// The variants that their filters do not rule out.
pub(crate) fn left<'o>(
    value: &'o Buffered<'_>,
    filters: &'o [VariantFilter],
) -> impl Iterator<Item = usize> + 'o {
    let filters = filters.iter().enumerate();
    let left = filters.filter(|(_, filter)| filter.fits(value));
    left.map(|(variant, _)| variant)
}
