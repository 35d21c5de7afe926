//! The times of RFC 3339, section 5.6.

/// `full-date`: `2026-11-20`, a day that the calendar has.
pub(super) fn is_date(text: &str) -> bool {
    let Some((year, rest)) = number(text, 4) else {
        return false;
    };
    let Some((month, rest)) = rest.strip_prefix('-').and_then(|rest| number(rest, 2)) else {
        return false;
    };
    let Some((day, "")) = rest.strip_prefix('-').and_then(|rest| number(rest, 2)) else {
        return false;
    };
    (1..=days_in_month(year, month)).contains(&day)
}

/// `date-time`: a date, `T` and a time with an offset, in either case.
pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't'])
        .is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// `full-time`: `13:45:00.5Z`. Second 60 is accepted only where it can be a
/// leap second, at 23:59 UTC.
pub(super) fn is_time(text: &str) -> bool {
    let Some((hour, minute, second, offset)) = clock(text) else {
        return false;
    };
    let Some(offset) = offset_minutes(offset) else {
        return false;
    };
    let utc = (i64::from(hour) * 60 + i64::from(minute) - offset).rem_euclid(24 * 60);
    second < 60 || (second == 60 && utc == 23 * 60 + 59)
}

/// `duration` (appendix A): `P1Y2M3DT4H5M6S` with no unit left out in the
/// middle, or whole weeks, `P4W`; whole numbers only.
pub(super) fn is_duration(text: &str) -> bool {
    let upper = text.to_ascii_uppercase();
    let Some(rest) = upper.strip_prefix('P') else {
        return false;
    };
    match rest.split_once('T') {
        Some(("", time)) => is_run(time, "HMS"),
        Some((date, time)) => is_run(date, "YMD") && is_run(time, "HMS"),
        None => is_run(rest, "YMD") || is_run(rest, "W"),
    }
}

/// Numbers with units that follow one another in `units`; at least one.
fn is_run(text: &str, units: &str) -> bool {
    let mut names = String::new();
    for part in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let number = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        if number.is_empty() || number.len() == part.len() {
            return false;
        }
        names.extend(part.chars().last());
    }
    !names.is_empty() && units.contains(&names)
}

/// Hour, minute, second, and the text after the fraction of a second.
fn clock(text: &str) -> Option<(u32, u32, u32, &str)> {
    let (hour, rest) = number(text, 2)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = number(rest.strip_prefix(':')?, 2)?;
    let offset = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            (offset.len() < fraction.len()).then_some(offset)?
        }
        None => rest,
    };
    (hour < 24 && minute < 60).then_some((hour, minute, second, offset))
}

fn offset_minutes(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let (sign, rest) = match text.strip_prefix('+') {
        Some(rest) => (1, rest),
        None => (-1, text.strip_prefix('-')?),
    };
    let (hour, rest) = number(rest, 2)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2)?;
    let valid = hour < 24 && minute < 60 && rest.is_empty();
    valid.then(|| sign * (i64::from(hour) * 60 + i64::from(minute)))
}

/// A number of exactly `digits` ASCII digits, and the text after it.
fn number(text: &str, digits: usize) -> Option<(u32, &str)> {
    let (head, rest) = text.split_at_checked(digits)?;
    let all_digits = head.bytes().all(|byte| byte.is_ascii_digit());
    Some((all_digits.then(|| head.parse().ok())??, rest))
}

const fn days_in_month(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}
