//! What webhooks and callbacks show, so that their receivers take them.

use super::judge::Judge;
use super::outgoing::Sent;
use super::security::asked;

impl Sent<'_> {
    /// The API may choose any of the alternatives (OpenAPI 3.1.1 §4.8.30), so each of them must suffice for
    /// a receiver that asks for what was shown before.
    pub(super) fn security(&self, judge: &mut Judge<'_>) {
        let sides = (judge.before, judge.after);
        let of_both = (&self.before.operation, &self.after.operation);
        let (before, after) = asked(sides, of_both);
        let place = "security";
        for names in after.insufficient(&before) {
            let message = format!("may now be sent with {names}");
            let exchange = format!(" with {names}");
            let refusal = format!("asks for {}", before.listed());
            let says = (message.as_str(), exchange, refusal);
            self.prove(judge, "security-loosened", place, says);
        }
        if let Some(names) = before.insufficient(&after).next() {
            let message = format!("is no longer sent with {names}");
            self.note(judge, "security-tightened", place, &message);
        }
    }
}
