//! Normalizes strings that do not quite have their format, such as a `date-time` without an offset.

use std::borrow::Cow;

/// The string of `format` that `text` most likely stands for. It can still violate the format.
pub(crate) fn normalize<'t>(format: &str, text: &'t str) -> Cow<'t, str> {
    match format {
        "date-time" => date_time(text).into(),
        "date" => date(text).into(),
        "byte" => base64(text).into(),
        "uri" | "uri-reference" => uri(text).into(),
        _ => text.trim().into(),
    }
}

/// The length of `2026-11-28`.
const DATE: usize = 10;

/// The date of a date or `date-time`.
fn date(text: &str) -> &str {
    let text = text.trim();
    match text.split_at_checked(DATE) {
        Some((date, time)) if time.starts_with(['T', 't', ' ']) => date,
        _ => text,
    }
}

/// A `date-time` (RFC 3339, section 5.6). Accepts a space for the `T`, missing seconds, an offset without a colon, a
/// missing offset (UTC), a date, and a Unix time in seconds or milliseconds.
fn date_time(text: &str) -> String {
    let text = text.trim();
    if let Some(time) = unix_time(text) {
        return time;
    }
    let (date, rest) = text.split_at_checked(DATE).unwrap_or((text, ""));
    let rest = rest.trim_start_matches(['T', 't', ' ']).replace(',', ".");
    let end = rest.find(['Z', 'z', '+', '-', ' ']).unwrap_or(rest.len());
    let (time, offset) = rest.split_at(end);
    let time = match time.matches(':').count() {
        _ if time.is_empty() => "00:00:00".to_owned(),
        1 => format!("{time}:00"),
        _ => time.to_owned(),
    };
    format!("{date}T{time}{}", self::offset(offset.trim()))
}

/// Converts `+0100` and `+01` to `+01:00`, and a missing offset to `Z`.
fn offset(text: &str) -> String {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match text {
        "" | "z" | "Z" | "UTC" | "GMT" => "Z".to_owned(),
        _ => match (text.split_at_checked(1), text.split_at_checked(3)) {
            (Some((_, hours)), _) if hours.len() == 2 && digits(hours) => format!("{text}:00"),
            (Some((_, both)), Some((hours, minutes))) if both.len() == 4 && digits(both) => {
                format!("{hours}:{minutes}")
            }
            _ => text.to_owned(),
        },
    }
}

/// The numbers of digits of Unix times in seconds (1973 to 2286) and milliseconds. Other strings of digits, such as
/// `2026` and `20261128`, are more likely dates. `@` marks a JSON number, which can have fewer digits.
const SECONDS: [usize; 2] = [9, 10];
const MILLISECONDS: [usize; 2] = [12, 13];

fn unix_time(text: &str) -> Option<String> {
    let (text, is_marked) = match text.strip_prefix('@') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole
        .strip_prefix('-')
        .filter(|_| is_marked)
        .unwrap_or(whole);
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(digits) || !is_number(fraction) {
        return None;
    }
    let time: i64 = whole.parse().ok()?;
    let (seconds, millis) = if MILLISECONDS.contains(&digits.len()) {
        (time.div_euclid(1000), time.rem_euclid(1000))
    } else if SECONDS.contains(&digits.len()) || (is_marked && digits.len() < SECONDS[0]) {
        let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
        (time, digits.parse().ok()?)
    } else {
        return None;
    };
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"
    ))
}

/// The year, the month and the day of the Gregorian calendar, of days since 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    // Counted in years that begin with March, from the year 0, in cycles of 400 years.
    let days = days + 719_468;
    let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + cycle * 400 + i64::from(month <= 2), month, day)
}

/// Converts base64url (RFC 4648, section 5) to base64 (section 4), removes line breaks, and adds padding.
fn base64(text: &str) -> String {
    let digits = text.chars().filter(|c| !c.is_whitespace() && *c != '=');
    let mut digits: String = digits
        .map(|c| match c {
            '-' => '+',
            '_' => '/',
            c => c,
        })
        .collect();
    while !digits.len().is_multiple_of(4) {
        digits.push('=');
    }
    digits
}

/// Percent-encodes characters that a URI (RFC 3986) cannot contain.
fn uri(text: &str) -> String {
    let text = text.trim();
    let mut uri = String::with_capacity(text.len());
    for (index, byte) in text.bytes().enumerate() {
        let is_escape = || {
            let digits = text.as_bytes().get(index + 1..index + 3);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        let is_allowed = match byte {
            b'%' => is_escape(),
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => false,
            _ => byte.is_ascii_graphic(),
        };
        match is_allowed {
            true => uri.push(byte.into()),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_brought_into_the_form_of_rfc_3339() {
        for (loose, strict) in [
            ("2026-11-28T12:34:57", "2026-11-28T12:34:57Z"),
            ("2026-11-28 12:34:57.250", "2026-11-28T12:34:57.250Z"),
            ("2026-11-28 12:34:57 +0200", "2026-11-28T12:34:57+02:00"),
            ("2026-11-28T12:34:57+02", "2026-11-28T12:34:57+02:00"),
            ("2026-11-28t12:34:57-02:30", "2026-11-28T12:34:57-02:30"),
            ("2026-11-28 12:34:57 UTC", "2026-11-28T12:34:57Z"),
            ("2026-11-28T12:34Z", "2026-11-28T12:34:00Z"),
            ("2026-11-28", "2026-11-28T00:00:00Z"),
            ("951782400", "2000-02-29T00:00:00.000Z"),
            ("1447879093", "2015-11-18T20:38:13.000Z"),
            ("1447879093250", "2015-11-18T20:38:13.250Z"),
            ("1447879093.25", "2015-11-18T20:38:13.250Z"),
            ("@0", "1970-01-01T00:00:00.000Z"),
            ("@-1", "1969-12-31T23:59:59.000Z"),
            ("2026", "2026T00:00:00Z"),
        ] {
            assert_eq!(normalize("date-time", loose), strict, "{loose}");
        }
        assert_eq!(normalize("date", "2026-11-28T12:34:57Z"), "2026-11-28");
        assert_eq!(normalize("date", "2026-11-281"), "2026-11-281");
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        let mut expected = calendar();
        for days in -25_567..47_482 {
            assert_eq!(Some(civil(days)), expected.next(), "{days}");
        }
        assert_eq!(expected.next(), Some((2100, 1, 1)));
    }

    /// The days from 1900-01-01, counted one by one.
    fn calendar() -> impl Iterator<Item = (i64, i64, i64)> {
        let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = move |year, month| match month {
            2 => 28 + i64::from(is_leap(year)),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        (1900..).flat_map(move |year| {
            (1..=12)
                .flat_map(move |month| (1..=length(year, month)).map(move |day| (year, month, day)))
        })
    }

    #[test]
    fn other_formats_are_completed() {
        assert_eq!(normalize("byte", "_-8\n"), "/+8=");
        assert_eq!(
            normalize("uri", " https://a/ü b%20{c}%"),
            "https://a/%C3%BC%20b%20%7Bc%7D%25"
        );
        assert_eq!(normalize("uuid", " x "), "x");
    }
}
