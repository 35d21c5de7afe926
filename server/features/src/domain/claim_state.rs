//! The state of a claim of a partner contract.

db::named! {
    pub enum ClaimState {
        /// It is neither proven nor sent to the operators.
        Open = "open",
        /// An operator has to decide.
        Waiting = "waiting",
        /// It was proven: the contract became the project's.
        Proven = "proven",
        /// An operator accepted it: the contract became the project's.
        Accepted = "accepted",
        /// An operator declined it.
        Declined = "declined",
    }
}
