//! Places in JSON values.

use std::fmt;

use serde_json::Value;

/// The place of a value in values of one shape: the same member of any item of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pointer(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Member(String),
    Item,
}

impl Pointer {
    /// The place that a JSON Pointer names (RFC 6901).
    pub(super) fn of_pointer(pointer: &str) -> Pointer {
        let names = pointer.split('/').skip(1);
        let name = |it: &str| it.replace("~1", "/").replace("~0", "~");
        Pointer(names.map(|it| Step::Member(name(it))).collect())
    }

    pub(super) fn member(&self, name: &str) -> Pointer {
        self.with(Step::Member(name.to_owned()))
    }

    pub(super) fn item(&self) -> Pointer {
        self.with(Step::Item)
    }

    fn with(&self, step: Step) -> Pointer {
        Pointer(self.0.iter().cloned().chain([step]).collect())
    }

    /// Whether it is the whole value.
    pub(super) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it is a member of the whole value, or that value itself.
    pub(super) fn is_top(&self) -> bool {
        self.0.len() < 2
    }

    /// Changes the first value at this place that `fits`; whether there is one.
    pub(super) fn change(
        &self,
        value: &mut Value,
        fits: impl Fn(&Value) -> bool,
        make: impl Fn(&mut Value),
    ) -> bool {
        self.change_some(value, 1, fits, make)
    }

    /// Changes every value at this place that `fits`; whether there is one.
    pub(super) fn change_all(
        &self,
        value: &mut Value,
        fits: impl Fn(&Value) -> bool,
        make: impl Fn(&mut Value),
    ) -> bool {
        self.change_some(value, usize::MAX, fits, make)
    }

    fn change_some(
        &self,
        value: &mut Value,
        most: usize,
        fits: impl Fn(&Value) -> bool,
        make: impl Fn(&mut Value),
    ) -> bool {
        let mut pointers = Vec::new();
        each(&self.0, value, String::new(), &mut |it| pointers.push(it));
        pointers.retain(|it| value.pointer(it).is_some_and(&fits));
        pointers.truncate(most);
        for pointer in &pointers {
            value.pointer_mut(pointer).into_iter().for_each(&make);
        }
        !pointers.is_empty()
    }

    /// Removes the first member at this place; returns whether there is one.
    pub(super) fn drop(&self, value: &mut Value) -> bool {
        let Some((Step::Member(name), holder)) = self.0.split_last() else {
            return false;
        };
        let has = |value: &Value| value.get(name).is_some();
        let drop = |value: &mut Value| {
            if let Some(members) = value.as_object_mut() {
                members.shift_remove(name);
            }
        };
        Pointer(holder.to_vec()).change(value, has, drop)
    }
}

/// Says the pointer to each value below `at`, in order.
fn each(steps: &[Step], value: &Value, at: String, say: &mut impl FnMut(String)) {
    match steps.split_first() {
        None => say(at),
        Some((Step::Member(name), rest)) => {
            if let Some(member) = value.get(name) {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                each(rest, member, format!("{at}/{escaped}"), say);
            }
        }
        Some((Step::Item, rest)) => {
            let items = value.as_array().into_iter().flatten();
            for (n, item) in items.enumerate() {
                each(rest, item, format!("{at}/{n}"), say);
            }
        }
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| match step {
            Step::Member(name) => write!(f, "/{name}"),
            Step::Item => write!(f, "/*"),
        })
    }
}
