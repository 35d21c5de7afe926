//! What the back-references of a pattern stand for.
//!
//! A back-reference to a group that has matched nothing is empty (ECMA-262
//! §22.2.2.7.2), and each turn of a repetition forgets what the groups in it
//! matched (§22.2.2.3.1). Engines that backtrack remember it, so a reference
//! that could tell the difference is refused.

use crate::pattern::groups::{Kind, Reference, Scan};

/// What there is always to match.
const EMPTY: &str = "(?:)";

/// The text that each back-reference of a pattern stands for in the syntax of
/// the engine, in their order; `None` where it has neither look-around nor
/// back-references.
///
/// # Errors
/// What is wrong with the pattern, or what of it cannot be expressed.
pub(crate) fn read(source: &str) -> Result<Option<Vec<String>>, String> {
    let mut scan = Scan::new(source);
    let scanned = scan.pattern();
    let is_beyond = scan.groups.iter().any(|group| group.kind.is_look_around());
    if !is_beyond && scan.references.is_empty() {
        return Ok(None);
    }
    scanned?;
    let references = scan.references.iter();
    let references = references.map(|reference| resolved(&scan, reference));
    references.collect::<Result<_, _>>().map(Some)
}

fn resolved(scan: &Scan<'_>, reference: &Reference<'_>) -> Result<String, String> {
    let position = match reference.target.parse::<usize>() {
        Ok(number) => number.checked_sub(1),
        Err(_) => {
            let mut names = scan.captures.iter();
            names.position(|(_, name)| *name == reference.target)
        }
    };
    let capture = position.and_then(|position| scan.captures.get(position));
    let (Some(position), Some((capture, _))) = (position, capture) else {
        return Err("a back-reference refers to no group".to_owned());
    };
    let around: Vec<_> = scan.parents(reference.group).collect();
    if around.iter().any(|(_, group)| group.kind == Kind::Behind) {
        return Err("a back-reference in look-behind is not supported".to_owned());
    }
    let is_around = |index: usize| around.iter().position(|(own, _)| *own == index);
    if is_around(*capture).is_some() {
        return Ok(EMPTY.to_owned());
    }
    let refused = "a back-reference to what a repetition forgets is not supported";
    let (mut may_be_skipped, mut branch) = (false, 0);
    for (index, group) in scan.parents(*capture) {
        if let Some(at) = is_around(index) {
            // Both are in this group, and in all that it is in.
            let own = at.checked_sub(1).and_then(|below| around.get(below));
            may_be_skipped |= branch != own.map_or(reference.branch, |(_, own)| own.branch);
            let mut common = around.iter().skip(at);
            if may_be_skipped && common.any(|(_, group)| group.is_repeated) {
                return Err(refused.to_owned());
            }
            break;
        }
        match group.kind {
            // It has not matched yet.
            _ if group.left < reference.left => return Ok(EMPTY.to_owned()),
            Kind::NotAhead => return Ok(EMPTY.to_owned()),
            Kind::Behind => {
                let refused = "a back-reference into look-behind is not supported";
                return Err(refused.to_owned());
            }
            _ if group.is_repeated => return Err(refused.to_owned()),
            _ => {}
        }
        may_be_skipped |= group.is_optional || (index != *capture && group.branches > 0);
        branch = group.branch;
    }
    let number = position + 1;
    // Where the group has matched, the same once more; else nothing.
    Ok(format!(r"(?({number})\{number})"))
}
