//! Attacks: faults that somebody causes on purpose, to keep others from being served.
//!
//! Each test makes one and measures the answers of others meanwhile. Attacks come from addresses of the loopback
//! network, are bounded in number and time, and use the defaults of the settings where they can.

mod bodies;
pub(crate) mod connections;
mod dashboard;
mod files;
mod heads;
mod imports;
mod log;
mod networks;
mod others;
mod pages;
mod readers;
mod responses;
mod sites;

crate::faults::faults! {
    pages: a_script_that_is_asked_for_uncompressed answers_that_pile_up;
    connections: four_addresses_that_keep_connections many_addresses_that_keep_connections
        a_caller_that_ignores_refusals a_caller_that_waits_for_a_connection bodies_from_many_addresses
        connections_to_the_operators_port;
    readers: a_reader_of_two_kilobytes_a_second;
    bodies: bodies_that_do_not_come an_object_that_is_taken_for_a_number;
    networks: the_networks_of_eight_providers;
    dashboard: sign_ins_from_the_networks_of_a_provider pages_of_an_account_that_nobody_reads
        changes_without_end searches_without_end;
    log: a_log_that_nobody_reads;
    responses: answers_that_are_taken_for_others;
    heads: heads_that_can_be_read_in_two_ways;
    files: files_that_other_users_of_the_machine_read a_database_that_other_users_may_read
        a_link_in_the_place_of_a_new_file;
    imports: a_file_that_writes_to_the_terminal names_that_turn_text_around_or_hide_controls;
}
