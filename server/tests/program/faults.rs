//! Faults, each with a test that injects it.
//!
//! The expected effects on a client are in one table, `server/docs/faults.md`, and the
//! tests read their expectations only there. A test has the name of its fault, must make every
//! observation in the fault's rows, and compares it with the row. A fault without a test fails, and so
//! does a test without a fault.

mod amounts;
mod bodies;
mod callers;
mod certificates;
mod clocks;
mod connections;
mod database;
mod expectation;
pub(crate) mod fault;
mod heads;
mod held;
mod importers;
mod killed;
mod mail;
pub(crate) mod postgres;
mod quota;
mod redis;
pub(crate) mod requests;
mod stopping;
pub(crate) mod system;
mod table;
mod webhooks;

use std::collections::BTreeSet;

/// Makes a test of each function, and a list of their names.
macro_rules! faults {
    ($($module:ident: $($name:ident)*;)*) => {
        pub(crate) const TESTED: &[&str] = &[$($(stringify!($name),)*)*];

        $($(
            #[test]
            fn $name() {
                $crate::faults::fault::Fault::inject(stringify!($name), $module::$name);
            }
        )*)*
    };
}
pub(crate) use faults;

faults! {
    connections: hanging_up_in_mid_request half_a_head an_answer_that_nobody_reads
        more_requests_than_there_is_room_for thousands_of_sockets few_files_that_may_be_open;
    heads: too_many_or_too_long_header_fields a_huge_url bytes_that_are_not_utf8 nul_bytes;
    bodies: a_body_that_dribbles a_body_that_is_too_large deep_json;
    callers: guessed_keys addresses_that_rotate networks_that_rotate names_made_up_for_metrics;
    quota: a_quota_of_configs_that_is_used_up the_last_place_of_a_quota;
    stopping: sigterm_with_requests_in_flight sigterm_with_half_a_head_open two_signals;
    killed: an_import_that_is_killed a_file_that_changes_before_it_is_imported_again
        a_server_that_is_killed;
    database: a_database_that_cannot_be_used_at_the_start a_slow_database a_slow_read_of_the_database a_full_disk
        a_database_file_that_is_removed a_database_file_that_is_replaced
        a_poisoned_catalogue_row a_poisoned_row_of_the_keys;
    importers: two_importers_of_the_same_donations;
    postgres: a_postgresql_that_is_not_there_at_the_start
        a_postgresql_that_does_not_answer_at_the_start a_postgresql_that_is_lost
        a_postgresql_that_another_host_takes_over_from a_postgresql_that_is_lost_during_an_import
        a_slow_postgresql a_poisoned_row_of_postgresql two_importers_into_postgresql
        a_postgresql_that_takes_no_writes a_postgresql_of_another_encoding a_pooler_that_changes_sessions
        a_full_disk_of_postgresql an_import_into_postgresql_that_is_killed replicas_that_come_and_go;
    redis: a_paused_redis a_slow_redis a_stopped_redis a_flushed_redis;
    mail: a_mail_server_that_is_away a_provider_that_is_away;
    certificates: a_postgresql_whose_certificate_is_over a_redis_whose_certificate_is_over;
    amounts: amounts_at_the_edge;
    clocks: a_clock_that_is_set a_defect_of_the_server;
    webhooks: a_webhook_that_never_answers a_webhook_on_which_nobody_listens a_webhook_that_redirects
        a_webhook_that_answers_with_an_error a_webhook_that_leads_inside a_webhook_that_answers_without_end
        a_webhook_whose_certificate_is_over a_secret_that_is_replaced a_server_that_is_killed_while_it_sends
        a_postgresql_that_is_lost_while_webhooks_are_sent replicas_that_send_webhooks;
}

#[test]
fn every_fault_has_a_test_and_every_test_a_fault() {
    let faults: BTreeSet<_> = table::rows().into_iter().map(|row| row.fault).collect();
    let tested = TESTED.iter().chain(crate::attacks::TESTED);
    let tested = tested.map(|name| table::words(name)).collect();
    assert_eq!(faults, tested);
}
