//! The draft of a config: the state of the form of a new config, from one request to the next.
//!
//! The whole state is in the form, so that the editor works without scripts and on every replica, and the
//! Back button undoes a step.

use generated::patterns::CONFIG_NAME;
use uuid::Uuid;

use crate::charities::CharityId;
use crate::configs::{Beneficiary, Config, ConfigLabels};
use crate::domain::amount::Weight;

/// The fields of a form, in the order of the page.
pub(super) type Fields = Vec<(String, String)>;

/// A config that is being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConfigDraft {
    /// Identifies repetitions of the form.
    pub(super) nonce: Uuid,
    /// The name, which may be empty.
    pub(super) name: String,
    /// The words that charities are searched by.
    pub(super) search: String,
    pub(super) charities: Vec<DraftCharity>,
    /// The control that has the focus.
    pub(super) focus: Focus,
}

/// A charity that was chosen, with its weight as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DraftCharity {
    pub(super) id: CharityId,
    pub(super) weight: String,
}

/// The control that has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    Name,
    Search,
    /// The weight of a charity, by its place.
    Weight(usize),
}

impl ConfigDraft {
    /// Reads the draft of a form, and takes the step of the button that sent it; `None` if the form has no such
    /// fields.
    pub(super) fn read(fields: Fields) -> Option<Self> {
        let mut draft = Self {
            nonce: Uuid::now_v7(),
            name: String::new(),
            search: String::new(),
            charities: Vec::new(),
            focus: Focus::Search,
        };
        for (name, value) in fields {
            let charity = || Uuid::try_parse(&value).ok().map(CharityId);
            match &*name {
                "nonce" => draft.nonce = Uuid::try_parse(&value).ok()?,
                "name" => draft.name = value,
                "search" => draft.search = value,
                "charity" => draft.charities.push(DraftCharity {
                    id: charity()?,
                    weight: String::new(),
                }),
                "weight" => draft.charities.last_mut()?.weight = value,
                "add" => draft.add(charity()?),
                "remove" => {
                    let removed = charity()?;
                    draft.charities.retain(|chosen| chosen.id != removed);
                }
                _ => return None,
            }
        }
        Some(draft)
    }

    /// Adds a charity with the weight of the last one, so that equal parts stay equal.
    fn add(&mut self, id: CharityId) {
        if !self.is_full() && !self.has(id) {
            let last = self.charities.last();
            let weight = last.map_or_else(|| "1".to_owned(), |last| last.weight.clone());
            self.focus = Focus::Weight(self.charities.len());
            self.charities.push(DraftCharity { id, weight });
        }
    }

    /// Whether the name is one that the API takes, or none.
    pub(super) fn has_fit_name(&self) -> bool {
        self.name().is_none_or(|name| {
            name.chars().count() <= ConfigLabels::MAX_NAME && CONFIG_NAME.is_match(&name)
        })
    }

    /// The name, if there is one.
    pub(super) fn name(&self) -> Option<String> {
        let name = self.name.trim();
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// Whether a charity is chosen.
    pub(super) fn has(&self, id: CharityId) -> bool {
        self.charities.iter().any(|chosen| chosen.id == id)
    }

    /// Whether no further charity can be chosen.
    pub(super) fn is_full(&self) -> bool {
        self.charities.len() >= Config::MAX_BENEFICIARIES
    }

    /// The charities with their weights; `None` if one is no weight.
    pub(super) fn beneficiaries(&self) -> Option<Vec<Beneficiary>> {
        let each = self.charities.iter().map(|chosen| {
            let weight = chosen.weight();
            weight.map(|weight| Beneficiary {
                charity: chosen.id,
                weight,
            })
        });
        each.collect()
    }
}

impl DraftCharity {
    /// The weight, if it is one.
    pub(super) fn weight(&self) -> Option<Weight> {
        let text = self.weight.trim();
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| is_number);
        number.and_then(Weight::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &[(&str, &str)]) -> Option<ConfigDraft> {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        ConfigDraft::read(fields.iter().map(own).collect())
    }

    fn id(n: u8) -> String {
        Uuid::from_bytes([n; 16]).to_string()
    }

    fn weights(draft: &ConfigDraft) -> Vec<&str> {
        let weights = draft.charities.iter().map(|it| it.weight.as_str());
        weights.collect()
    }

    #[test]
    fn a_charity_is_added_once_with_the_last_weight() {
        let (one, two) = (id(1), id(2));
        let draft = read(&[("charity", &one), ("weight", "30"), ("add", &two)]).unwrap();
        assert_eq!(weights(&draft), ["30", "30"]);
        assert_eq!(draft.focus, Focus::Weight(1));
        let draft = read(&[("charity", &one), ("weight", "30"), ("add", &one)]).unwrap();
        assert_eq!(weights(&draft), ["30"]);
    }

    #[test]
    fn five_charities_are_all() {
        let ids: Vec<_> = (1..=6).map(id).collect();
        let mut fields = Vec::new();
        for chosen in &ids[..5] {
            fields.extend([("charity", &**chosen), ("weight", "1")]);
        }
        fields.push(("add", &ids[5]));
        assert_eq!(read(&fields).unwrap().charities.len(), 5);
        fields.push(("remove", &ids[0]));
        assert_eq!(read(&fields).unwrap().charities.len(), 4);
    }

    #[test]
    fn fields_that_the_form_does_not_have_are_refused() {
        let one = id(1);
        for fields in [
            &[("charity", "x")][..],
            &[("weight", "1")],
            &[("nonce", "1")],
            &[("add", &one), ("other", "1")],
        ] {
            assert_eq!(read(fields), None, "{fields:?}");
        }
    }

    #[test]
    fn weights_are_digits() {
        let weight = |text: &str| {
            let weight = text.to_owned();
            let id = CharityId(Uuid::nil());
            DraftCharity { id, weight }.weight().map(Weight::get)
        };
        assert_eq!(weight(" 25 "), Some(25));
        assert_eq!(weight("1000000"), Some(1_000_000));
        for wrong in ["", "0", "-1", "+1", "1.5", "1e3", "1000001", "x", "１"] {
            assert_eq!(weight(wrong), None, "{wrong}");
        }
    }
}
