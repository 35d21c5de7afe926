//! The scenarios, by theme. Each has a server and a database of its own.

mod addresses;
mod analytics;
mod attribution;
mod bodies;
mod catalogue;
mod changes;
mod conditional;
mod configs;
mod cors;
mod donations;
mod failures;
mod feeds;
mod framework;
mod idempotency;
mod keys;
mod leaderboard;
mod limits;
mod links;
mod meta;
mod metering;
mod negotiation;
mod order;
mod paging;
mod parameters;

use std::pin::Pin;
use std::sync::Arc;

use super::world::Template;

/// Something that is tried.
pub struct Scenario {
    pub name: &'static str,
    pub run: fn(Arc<Template>) -> Running,
}

/// A scenario under way. It fails by panicking.
type Running = Pin<Box<dyn Future<Output = ()>>>;

macro_rules! scenarios {
    ($($theme:ident: $($name:ident)*;)*) => {
        /// Every scenario.
        pub fn all() -> Vec<Scenario> {
            vec![$($(Scenario {
                name: concat!(stringify!($theme), "::", stringify!($name)),
                run: |template| Box::pin($theme::$name(template)),
            },)*)*]
        }

        /// Each scenario as a test, over SQLite.
        mod sqlite {
            $(mod $theme {
                $(#[test]
                fn $name() {
                    crate::run::over_sqlite(concat!(stringify!($theme), "::", stringify!($name)));
                })*
            })*
        }

        /// The same over PostgreSQL, all scenarios of a theme in one test: each has to start a server.
        mod postgres {
            $(#[test]
            fn $theme() {
                crate::run::over_postgres(concat!(stringify!($theme), "::"));
            })*
        }
    };
}

scenarios! {
    addresses: follow_their_chain an_unknown_chain_has_no_tokens;
    analytics: totals_are_those_of_the_range series_are_filled_with_zeros series_are_bounded
        ranges_are_checked;
    attribution: each_donation_counts_once breakdowns_add_up deletion_changes_no_statistics;
    bodies: every_violation_is_listed bounds_are_inclusive invalid_json an_object_is_never_taken_for_a_number;
    catalogue: charities_are_filtered charities_are_found_by_id_and_slug campaigns_say_where_they_stand
        chains_and_tokens;
    changes: appear_within_a_second of_donations_are_counted
        of_charities_hold_for_configs_at_once of_configs_are_shown_by_tokens of_time_change_tags;
    conditional: every_tag_is_honoured errors_come_first;
    configs: live_once belong_to_their_project name_active_charities are_limited_by_the_tier;
    cors: reads_without_a_key_are_shared preflights_never_allow_keys;
    donations: of_a_charity_are_listed parts_add_up are_filtered follow_the_chain
        of_hidden_charities_are_not_found;
    failures: too_many_in_flight a_closed_database a_panic a_broken_database
        a_database_that_is_too_slow;
    feeds: hold_the_newest are_atom;
    framework: every_operation_succeeds every_read_answers_head every_answer_has_its_id
        missing_objects hidden_objects unknown_routes
        other_methods;
    idempotency: the_first_answer_is_kept bodies_are_compared_as_values keys_are_free_after_a_day
        only_success_is_kept twins_make_one_config;
    keys: must_be_sent_where_required must_be_right_where_read are_ignored_where_public work_at_once
        rotate_with_an_overlap are_revoked_within_a_second;
    leaderboard: is_ordered_totally;
    limits: each_tier_has_its_own keys_of_a_project_share_a_window the_window_slides
        retry_after_is_exact a_refused_request_has_no_effect a_tier_changes_within_a_second
        every_operation_is_limited;
    links: can_be_followed;
    meta: the_contract_is_served_as_written the_collection_is_served_as_generated
        the_collection_has_every_operation;
    metering: networks_have_windows_of_their_own only_trusted_proxies_are_believed everything_else_counts
        public_operations_do_not_count;
    negotiation: unacceptable_media_types bodies_too_large bodies_of_other_types;
    order: routes_come_first keys_come_before_parameters limits_come_before_parameters
        sizes_types_and_acceptance_come_in_order parameters_and_body_are_checked_together;
    paging: no_item_is_lost_or_repeated orders_are_as_documented
        cursors_belong_to_their_list cursors_belong_to_their_filters changed_cursors_are_refused;
    parameters: undeclared_ones_are_refused every_bad_value_is_refused repeated_ones_are_refused
        broken_encoding_is_a_validation_error every_issue_is_listed issues_stand_in_one_order;
}
