//! Tests on both databases: the minutes of several servers are one history.

use console::availability::{Days, minute, store};
use jiff::Timestamp;

use crate::world::{Site, World};

async fn servers_record_minutes_together(site: Site) {
    let world = World::new(&site).await;
    let at = |time: &str| -> Timestamp { time.parse().unwrap() };
    let record = async |time: &str, is_reading: bool| {
        let days = minute(at(time), is_reading);
        store(&world.store, days, at(time)).await.unwrap()
    };
    let counts = |days: &Days| {
        let days = days.iter();
        let days = days.map(|(day, minutes)| (day.date().to_string(), format!("{minutes:?}")));
        days.collect::<Vec<_>>()
    };
    let day = |date: &str, running: u32, reading: u32| {
        let minutes =
            format!("DayMinutes {{ running: {running} minutes, reading: {reading} minutes }}");
        (date.to_owned(), minutes)
    };
    record("2026-09-01T23:59:00Z", true).await;
    record("2026-09-02T00:00:00Z", false).await;
    // Another server in the same minute, which can read the database.
    let days = record("2026-09-02T00:00:40Z", true).await;
    assert_eq!(
        counts(&days),
        [day("2026-09-01", 1, 1), day("2026-09-02", 1, 1)]
    );
    let days = record("2026-09-02T00:01:00Z", false).await;
    assert_eq!(
        counts(&days),
        [day("2026-09-01", 1, 1), day("2026-09-02", 2, 1)]
    );
    // The first of 90 days is the second of September.
    let days = record("2026-11-30T12:00:00Z", true).await;
    assert_eq!(
        counts(&days),
        [day("2026-09-02", 2, 1), day("2026-11-30", 1, 1)]
    );
}

on_each_database! {
    servers_record_minutes_together,
}
