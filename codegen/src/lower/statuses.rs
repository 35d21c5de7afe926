//! The statuses that each response of an operation stands for.
//!
//! A status belongs to the response that names it, else to the one of its range, else to `default`
//! (OpenAPI 3.1.1 §4.8.16.1), so no two responses of an operation share one.

use crate::ir::{Response, Status};
use std::ops::RangeInclusive;

/// The statuses that `default` can stand for: those of final responses (RFC 9110 §15.2).
const FINAL: RangeInclusive<u16> = 200..=599;

/// Gives each of an operation's responses its statuses, without those of `others`.
pub(super) fn divide(responses: &mut [Response], others: &[Response]) {
    let listed: Vec<Status> = responses.iter().chain(others).map(|r| r.status).collect();
    for response in responses {
        response.statuses = runs(all(response.status).filter(|code| {
            let rivals = listed
                .iter()
                .filter(|shadowed_by| **shadowed_by != response.status);
            rivals
                .filter(|shadowed_by| all(**shadowed_by).contains(code))
                .all(|shadowed_by| precedence(*shadowed_by) > precedence(response.status))
        }));
    }
}

fn all(status: Status) -> RangeInclusive<u16> {
    match status {
        Status::Code(code) => code..=code,
        Status::Range(hundred) => hundred * 100..=hundred * 100 + 99,
        Status::Default => FINAL,
    }
}

/// A status that several responses could have belongs to the most specific one.
fn precedence(status: Status) -> u8 {
    match status {
        Status::Code(_) => 0,
        Status::Range(_) => 1,
        Status::Default => 2,
    }
}

/// Ascending numbers as ranges without gaps.
fn runs(codes: impl Iterator<Item = u16>) -> Vec<RangeInclusive<u16>> {
    let mut runs: Vec<RangeInclusive<u16>> = Vec::new();
    for code in codes {
        match runs.last_mut() {
            Some(run) if run.end() + 1 == code => *run = *run.start()..=code,
            _ => runs.push(code..=code),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Name;

    fn response(status: &str) -> Response {
        Response {
            status: match status {
                "default" => Status::Default,
                "4XX" => Status::Range(4),
                "5XX" => Status::Range(5),
                code => Status::Code(code.parse().unwrap()),
            },
            statuses: Vec::new(),
            name: Name::default(),
            doc: String::new(),
            headers: Vec::new(),
            seen_headers: Vec::new(),
            media: Vec::new(),
            content_name: Name::default(),
            is_tagged: false,
            links: Vec::new(),
        }
    }

    #[test]
    fn the_most_specific_response_has_a_status() {
        let mut own: Vec<_> = ["default", "4XX", "404", "200"].map(response).into();
        divide(&mut own, &[response("400"), response("503")]);
        let statuses: Vec<_> = own.iter().map(|r| r.statuses.clone()).collect();
        let expected = [
            vec![201..=399, 500..=502, 504..=599],
            vec![401..=403, 405..=499],
            vec![404..=404],
            vec![200..=200],
        ];
        assert_eq!(statuses, expected);
    }
}
