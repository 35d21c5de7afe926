//! `oneOf`, `anyOf` and lists of types: enums whose variants carry types.

use super::models::{Lowered, Models};
use super::{discriminator, variant_filters, variant_names, variant_types};
use crate::ir::{Ambiguity, Discrimination, ModelShape, Name, Type, TypeKind, Union, UnionVariant};
use crate::names::Scope;
use crate::schema::{JsonType, Keywords, Schema};

/// The keywords of a union; variants do not repeat keywords beside them.
const LISTED: &[&str] = &["oneOf", "anyOf", "type"];

/// Lowers `oneOf` or `anyOf`; a variant that is only `null` makes the rest nullable.
pub(super) fn lower<'a>(models: &mut Models<'a>, k: &Keywords<'a>, hint: &str) -> Lowered {
    let exactly_one = !k.one_of.is_empty();
    let listed = if exactly_one { &k.one_of } else { &k.any_of };
    if (!k.one_of.is_empty() && !k.any_of.is_empty()) || k.constrains_beside(LISTED) {
        return Lowered::Plain(models.checked(k));
    }
    let mut variants: Vec<&Schema<'a>> = Vec::new();
    let mut nulls = 0;
    let takes_null = k.types.is_empty() || k.types.contains(&JsonType::Null);
    for variant in listed {
        if is_null(models, variant) {
            nulls += usize::from(takes_null);
        } else {
            variants.push(variant);
        }
    }
    let types: Vec<_> = variants
        .iter()
        .map(|v| variant_types::types_of(models, v))
        .collect();
    let has = |ty| {
        types
            .iter()
            .filter(move |types| types.contains(&ty))
            .count()
    };
    let typed = k.types.is_empty()
        || types
            .iter()
            .flatten()
            .all(|ty| k.types.iter().any(|own| own.includes(*ty)));
    if !typed || (exactly_one && nulls > 0 && nulls + has(JsonType::Null) > 1) {
        return Lowered::Plain(models.checked(k));
    }
    let nullable = nulls > 0;
    if let [only] = variants.as_slice() {
        let inner = models.lower(only, hint);
        return Lowered::Plain(if nullable {
            Type::nullable(inner)
        } else {
            inner
        });
    }
    if variants.is_empty()
        || variants
            .iter()
            .any(|variant| !matches!(variant, Schema::Keywords(_)))
    {
        return Lowered::Plain(models.checked(k));
    }
    let union = union(models, k, &variants, exactly_one, hint);
    let shape = ModelShape::Union(union);
    if nullable {
        let inner = models.model(k, hint, shape);
        return Lowered::Plain(Type::nullable(inner));
    }
    Lowered::Named(shape)
}

/// A schema whose keywords constrain values of one type only, as a union of these and values of all
/// other types.
pub(super) fn open<'a>(
    models: &mut Models<'a>,
    k: &Keywords<'a>,
    ty: JsonType,
    hint: &str,
) -> Lowered {
    let (name, kind) = match ty {
        JsonType::Array => ("array", "Array"),
        _ => ("object", "Object"),
    };
    let inner = match models.one_type(k, ty, &format!("{hint} {name}")) {
        Lowered::Plain(plain) if plain.rules.schema.is_some() => return Lowered::Plain(plain),
        Lowered::Plain(plain) => plain,
        Lowered::Named(shape) => models.model(k, &format!("{hint} {name}"), shape),
    };
    let variant = |name: &str, ty, types| UnionVariant {
        name: Name::of(name),
        ty,
        boxed: false,
        schema: String::new(),
        tags: Vec::new(),
        is_default: false,
        types,
    };
    let others = JsonType::ALL
        .into_iter()
        .filter(|other| *other != ty)
        .collect();
    Lowered::Named(ModelShape::Union(Union {
        variants: vec![
            variant(kind, inner, vec![ty]),
            variant("Other", Type::of(TypeKind::Json), others),
        ],
        discrimination: Discrimination::Type,
    }))
}

fn is_null<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> bool {
    variant_types::types_of(models, schema) == [JsonType::Null]
}

fn union<'a>(
    models: &mut Models<'a>,
    k: &Keywords<'a>,
    listed: &[&Schema<'a>],
    exactly_one: bool,
    hint: &str,
) -> Union {
    let mut variants = Vec::new();
    let constants = variant_types::constant_member(models, listed);
    let tags = constants.as_ref().map(|(_, tags)| tags.as_slice());
    let names = variant_names::of_variants(models, listed, tags);
    for (index, schema) in listed.iter().enumerate() {
        let Schema::Keywords(variant) = schema else {
            continue;
        };
        let name = names.get(index).cloned().unwrap_or_default();
        let key = match variant.lone_reference() {
            Some(key) => key.to_owned(),
            None => models.register(variant.at.as_str(), &variant.raw),
        };
        let discriminator = k.discriminator.as_ref();
        let tags = discriminator.map(|d| d.tags(&key)).unwrap_or_default();
        variants.push(UnionVariant {
            is_default: discriminator.is_some_and(|d| d.default.as_ref() == Some(&key)),
            ty: models.lower(schema, &format!("{hint} {name}")),
            name: Name::of(&name),
            boxed: false,
            schema: key,
            tags,
            types: variant_types::types_of(models, schema),
        });
    }
    let tagged = are_named(&variants);
    let discriminator = k.discriminator.as_ref().filter(|_| tagged);
    let discrimination = match discriminator {
        Some(it) if discriminator::is_text(models, listed, &it.property) => {
            for variant in variants.iter_mut().filter(|it| !it.takes_objects()) {
                variant.tags.clear();
            }
            variants = discriminator::by_name(models, &it.property, (listed, variants));
            Discrimination::Tag(it.property.clone())
        }
        _ if variant_types::are_disjoint(&variants) => Discrimination::Type,
        _ => match constants {
            Some((member, tags)) => {
                for (variant, tags) in variants.iter_mut().zip(tags) {
                    variant.tags = tags;
                }
                Discrimination::Tag(member)
            }
            None => Discrimination::Each {
                exactly_one,
                filters: variant_filters::of_variants(models, listed),
                // Until the models of the variants are known.
                ambiguity: Ambiguity::Schemas,
            },
        },
    };
    let mut scope = Scope::default();
    for variant in &mut variants {
        variant.name = scope.claim(variant.name.clone());
    }
    Union {
        variants,
        discrimination,
    }
}

/// Whether each variant has names of its own, or is that of other names, and some value can have such a name.
fn are_named(variants: &[UnionVariant]) -> bool {
    let mut tags: Vec<&String> = variants.iter().flat_map(|variant| &variant.tags).collect();
    tags.sort();
    tags.windows(2).all(|pair| pair.first() != pair.last())
        && variants
            .iter()
            .all(|variant| !variant.tags.is_empty() || variant.is_default)
        && variants.iter().any(UnionVariant::takes_objects)
}

/// A schema that allows several types: one variant each.
pub(super) fn of_types<'a>(
    models: &mut Models<'a>,
    k: &Keywords<'a>,
    types: &[JsonType],
    nullable: bool,
    hint: &str,
) -> Lowered {
    let mut variants = Vec::new();
    for ty in types {
        let name = match ty {
            JsonType::Boolean => "boolean",
            JsonType::Integer => "integer",
            JsonType::Number => "number",
            JsonType::String => "string",
            JsonType::Array => "array",
            JsonType::Object => "object",
            JsonType::Null => continue,
        };
        let mut raw = k.raw.as_ref().clone();
        if let Some(members) = raw.as_object_mut() {
            members.insert("type".into(), name.into());
        }
        let one = Keywords {
            types: vec![*ty],
            ..k.clone()
        };
        let schema = models.register(&format!("{}/{name}", k.at.as_str()), &raw);
        variants.push(UnionVariant {
            name: Name::of(name),
            ty: models.lower(&Schema::Keywords(Box::new(one)), &format!("{hint} {name}")),
            boxed: false,
            schema,
            tags: Vec::new(),
            is_default: false,
            types: vec![*ty],
        });
    }
    let shape = ModelShape::Union(Union {
        variants,
        discrimination: Discrimination::Type,
    });
    if nullable {
        let inner = models.model(k, hint, shape);
        return Lowered::Plain(Type::nullable(inner));
    }
    Lowered::Named(shape)
}
