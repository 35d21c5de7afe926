//! The split of a config as a bar.

use crate::chart::Percent;
use crate::hue::Hue;
use features::charities::CharityId;

/// A bar with a part for each charity, as wide as its share.
pub(crate) struct SplitBar {
    pub(crate) parts: Vec<SplitPart>,
}

/// The part of one charity.
pub(crate) struct SplitPart {
    pub(crate) hue: Hue,
    pub(crate) x: Percent,
    pub(crate) width: Percent,
    pub(crate) name: String,
    /// Its share in percent.
    pub(crate) share: String,
}

impl SplitBar {
    /// The bar of charities with their names and weights.
    pub(crate) fn new(charities: Vec<(CharityId, String, u32)>) -> Self {
        let hues = Hue::distinct(charities.iter().map(|(id, ..)| *id));
        let weights: Vec<_> = charities.iter().map(|(.., weight)| *weight).collect();
        let sum: f64 = weights.iter().copied().map(f64::from).sum();
        let mut x = 0.0;
        let parts = charities
            .into_iter()
            .zip(hues)
            .map(|((_, name, weight), hue)| {
                let width = f64::from(weight) * 100.0 / sum.max(1.0);
                let part = SplitPart {
                    hue,
                    x: Percent(x),
                    width: Percent(width),
                    name,
                    share: share(weight, &weights),
                };
                x += width;
                part
            });
        Self {
            parts: parts.collect(),
        }
    }

    /// The names and shares, such as `Otter Haven 75%, Quiet Paws 25%`.
    pub(crate) fn label(&self) -> String {
        let parts = self.parts.iter();
        let parts = parts.map(|part| format!("{} {}", part.name, part.share));
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// The part that a weight has of the sum of all, in percent, such as `33.3%`.
fn share(weight: u32, weights: &[u32]) -> String {
    let sum: u64 = weights.iter().copied().map(u64::from).sum();
    let thousandths = (u64::from(weight) * 2000 + sum) / (sum * 2).max(1);
    match (thousandths / 10, thousandths % 10) {
        (0, 0) => "less than 0.1%".to_owned(),
        (whole, 0) => format!("{whole}%"),
        (whole, tenth) => format!("{whole}.{tenth}%"),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn shares_are_rounded_to_a_tenth_of_a_percent() {
        for (weights, expected) in [
            (&[1][..], "100%"),
            (&[1, 1, 1], "33.3%"),
            (&[2, 1], "66.7%"),
            (&[1, 1_000_000], "less than 0.1%"),
            (&[1, 7], "12.5%"),
        ] {
            assert_eq!(share(weights[0], weights), expected, "{weights:?}");
        }
    }

    #[test]
    fn parts_stand_one_after_the_other() {
        let charity =
            |id, name: &str, weight| (CharityId(Uuid::from_u128(id)), name.to_owned(), weight);
        let bar = SplitBar::new(vec![charity(1, "Otters", 3), charity(2, "Rivers", 1)]);
        let places = bar.parts.iter().map(|part| (part.x.0, part.width.0));
        assert_eq!(places.collect::<Vec<_>>(), [(0.0, 75.0), (75.0, 25.0)]);
        assert_eq!(bar.label(), "Otters 75%, Rivers 25%");
    }
}
