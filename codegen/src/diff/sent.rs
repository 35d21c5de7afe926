//! Which of the webhooks and callbacks of one contract are which of the other.

use super::operations::unnamed;
use super::pairing::{Key, KeyOf, Pairing, pair};
use super::side::Side;
use crate::openapi::{Outgoing, Target};

/// Which has become which.
pub(super) fn paired<'a>(
    sides: (&Side, &Side),
    lists: (&'a [Outgoing], &'a [Outgoing]),
) -> Pairing<'a, Outgoing> {
    // An operation may call the same URL by several names.
    let keys: [KeyOf<Outgoing>; 3] = [as_written, key, key_below];
    let mut pairing = pair(sides, lists, &keys);
    let added = &mut pairing.added;
    let lost = pairing.before.iter().filter(|(_, new)| new.is_none());
    let lost: Vec<&Outgoing> = lost.map(|(old, _)| *old).collect();
    for (old, new) in pairing.before.iter_mut().filter(|(_, new)| new.is_none()) {
        // The only one of its operation and method on either side is the same at another URL.
        let alike = |one: &Outgoing| fellow(one).is_some() && fellow(one) == fellow(old);
        let others = added.iter().enumerate().filter(|(_, new)| alike(new));
        let others: Vec<usize> = others.map(|(place, _)| place).collect();
        if let [place] = others[..]
            && lost.iter().filter(|one| alike(one)).count() == 1
        {
            *new = Some(added.remove(place));
        }
    }
    pairing
}

/// The same with the name that the contract gives it.
fn as_written(side: &Side, of: &Outgoing) -> Key {
    let (place, method) = key(side, of);
    (format!("{place} {}", of.operation.path), method)
}

/// What makes it the same in both contracts: whoever is called, ids and names are not it.
fn key(side: &Side, of: &Outgoing) -> Key {
    keyed(of, &|target| owner(side, target))
}

/// The same where the path of the owner's server does not count.
fn key_below(_: &Side, of: &Outgoing) -> Key {
    keyed(of, &owner_below)
}

fn keyed(of: &Outgoing, owner: &dyn Fn(&Target) -> String) -> Key {
    let place = match &of.target {
        Some(target) => format!("{} {}", owner(target), target.expression),
        None => of.operation.path.clone(),
    };
    (place, of.operation.method.clone())
}

/// The operation whose callback it is: by its route, since it may stand in any file.
fn owner(side: &Side, target: &Target) -> String {
    let (method, path) = &target.of;
    let mut all = side.operations.iter();
    let found = all.find(|one| one.method == *method && unnamed(&one.path) == unnamed(path));
    match found.map(|found| side.route(found)) {
        Some((route, method)) => format!("{method} {route}"),
        None => owner_below(target),
    }
}

fn owner_below(target: &Target) -> String {
    let (method, path) = &target.of;
    format!("{method} {}", unnamed(path))
}

/// What callbacks to different URLs have in common.
fn fellow(of: &Outgoing) -> Option<(String, &str)> {
    let target = of.target.as_ref()?;
    Some((owner_below(target), &of.operation.method))
}
