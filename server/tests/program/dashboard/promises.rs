//! The promises of the dashboard and the documentation, with the tests that hold them.

use std::fs;
use std::path::Path;

/// Promises, and names of tests that fail where one does not hold.
const PROMISES: [(&str, &[&str]); 25] = [
    (
        "from the start page or a mail to a first answer with a ready curl, 4 pages",
        &[
            "a_newcomer_has_an_answer_with_a_key_on_the_fourth_page",
            "from_a_mail_to_the_first_answer_in_four_pages",
            "a_new_account_names_its_first_project_where_it_confirms_the_sign_in",
        ],
    ),
    (
        "all but passkeys and wallets works without scripts",
        &[
            "a_developer_does_everything_in_the_dashboard_with_scripts_and_without",
            "a_config_is_made_step_by_step_without_scripts",
        ],
    ),
    (
        "following a link consumes nothing, its button does, on a page that names the account",
        &["following_a_link_consumes_nothing_and_confirming_it_does"],
    ),
    (
        "a link signs in once, for 10 minutes, in the browser that asked; elsewhere a code is typed",
        &[
            "a_link_signs_in_once_and_where_it_was_asked_for",
            "a_proof_fits_a_live_sign_in_of_its_browser",
            "of_concurrent_confirmations_one_succeeds",
            "a_code_is_guessed_five_times",
        ],
    ),
    (
        "a known and an unknown address are answered alike and by the same steps; mail waits in an outbox",
        &[
            "known_and_unknown_addresses_are_answered_alike",
            "asking_for_a_mail_reads_no_account",
            "forms_of_accounts_answer_known_and_unknown_addresses_alike",
            "a_mail_that_a_killed_server_was_sending_is_sent_by_another",
        ],
    ),
    (
        "mails are limited by address, network and in all, and a session is not locked out",
        &[
            "an_address_is_sent_ten_mails_an_hour",
            "sign_ins_are_limited_by_address_and_network",
        ],
    ),
    (
        "passkeys are several, named, revocable; operators need one",
        &[
            "passkeys_work_in_a_browser",
            "another_accounts_passkey_is_not_there",
            "an_operators_first_passkey_needs_a_code_of_the_command_line",
            "nobody_but_an_operator_with_a_passkey_gets_in",
        ],
    ),
    (
        "sessions are new at each sign-in, end in time, are listed and ended",
        &[
            "a_session_that_was_planted_is_not_the_one_that_is_signed_in",
            "a_session_that_was_planted_is_replaced",
            "confirming_that_it_is_you_signs_the_same_account_in_anew",
            "a_provider_confirms_who_it_is_when_it_asked_just_now",
            "sessions_end",
            "all_other_sessions_are_ended_at_once",
        ],
    ),
    (
        "what opens a project or an account needs a recent sign-in, what closes it none",
        &["what_opens_a_project_to_others_needs_a_new_sign_in_and_what_closes_it_does_not"],
    ),
    (
        "a key is shown once and issued once",
        &[
            "a_key_is_shown_once_and_issued_once",
            "a_project_and_its_first_key_are_made_once",
            "the_secret_of_a_webhook_is_shown_once_and_replaced_once",
            "forms_that_are_sent_at_the_same_time_issue_one_key",
        ],
    ),
    (
        "mails tell the end of a key 14 and 3 days before and at it; its page issues a successor",
        &[
            "one_mail_is_due_at_a_time",
            "owners_are_told_of_the_end_of_a_key_once",
            "the_page_that_was_asked_for_follows_the_sign_in",
        ],
    ),
    (
        "a rotated key works as long as was chosen, and both are plotted",
        &[
            "a_rotated_key_works_as_long_as_was_chosen",
            "a_rotated_key_names_its_successor_and_its_end",
            "both_keys_of_a_rotation_are_plotted_and_the_old_one_is_told_to_be_in_use",
        ],
    ),
    (
        "a revoked or disabled key is refused within a second",
        &[
            "every_replica_refuses_a_revoked_key_within_a_second",
            "a_revoked_key_is_refused",
            "a_disabled_key_is_refused_until_it_is_enabled",
        ],
    ),
    (
        "a leaked key is revoked by whoever reports it, and its owners are told",
        &[
            "a_leaked_key_is_revoked_and_its_owner_is_told",
            "a_leaked_key_is_revoked_and_its_owners_are_told",
        ],
    ),
    (
        "use is told by key, operation and status, by minute, hour and day, in a zone, as CSV",
        &[
            "requests_appear_by_operation_and_status_and_as_much_in_each_view",
            "csv_is_no_formula_and_a_file",
            "no_query_breaks_the_page",
        ],
    ),
    (
        "totals equal the admitted requests, at a stop and but for the last second at a kill",
        &[
            "a_server_that_stops_has_stored_every_request",
            "a_killed_replica_loses_no_more_than_its_last_moment_and_nothing_is_counted_twice",
            "a_million_requests_are_counted_in_constant_memory",
        ],
    ),
    (
        "the window tells what is used of the limit and what was refused; another tier is asked for and decided",
        &[
            "the_window_tells_what_is_used_of_the_limit_and_what_was_refused",
            "a_tier_is_asked_for_and_decided",
        ],
    ),
    (
        "the editor of configs refuses what the API refuses, and what each received is told",
        &[
            "a_form_is_refused_where_the_api_refuses_the_same_config",
            "a_deleted_config_is_hidden_and_what_it_received_stays",
            "configs_are_searched_and_ordered_by_what_they_received",
        ],
    ),
    (
        "a contract is claimed with a proof, or an operator decides; a rival takes nothing over",
        &[
            "the_deployers_signature_makes_a_contract_the_projects",
            "the_owner_of_a_contract_proves_it",
            "the_key_of_a_solana_program_proves_it",
            "what_cannot_be_signed_is_sent_to_the_operators",
            "a_rivals_proof_takes_nothing_over",
        ],
    ),
    (
        "who changed what is told, and never changes",
        &[
            "changes_are_told_in_the_audit_log",
            "changes_are_in_the_audit_log_with_the_person_or_the_key",
            "the_split_of_a_config_never_changes",
        ],
    ),
    (
        "teams: members are invited, the last owner stays, what is foreign is not there",
        &[
            "an_invited_address_signs_in_sees_who_invites_and_joins",
            "owners_hand_over_and_leave_but_for_the_last",
            "each_route_answers_each_role_as_it_may",
            "the_ids_of_another_project_are_not_there",
        ],
    ),
    (
        "operators find projects, set tiers, suspend, decide claims, and each step is in the log",
        &[
            "a_rival_takes_nothing_over_until_an_operator_decides",
            "projects_are_found_by_their_keys_and_owners",
            "an_operator_sets_a_tier",
            "a_suspended_projects_keys_are_refused_until_it_is_resumed",
            "a_claim_is_decided",
        ],
    ),
    (
        "everybody can read it: WCAG 2.2 AA, 320 px, text of 200 %, both schemes; charts have tables",
        &[
            "a_developer_does_everything_in_the_dashboard_with_scripts_and_without",
            "every_page_can_be_read_at_any_width_and_by_everybody",
            "every_chart_has_a_name_and_a_table",
        ],
    ),
    (
        "nothing is inline or from elsewhere; an account is exported and erased",
        &[
            "no_page_is_kept_framed_or_has_inline_scripts",
            "an_export_has_all_that_is_kept_and_no_secret",
            "nothing_has_the_address_of_an_erased_account",
        ],
    ),
    (
        "a demo signs in by one click and shows its mail",
        &[
            "the_demos_developer_owns_its_projects",
            "a_newcomer_has_an_answer_with_a_key_on_the_fourth_page",
        ],
    ),
];

/// Promises about the first hour of a new customer with the documentation, and the tests of them.
const FIRST_HOUR: [(&str, &[&str]); 14] = [
    (
        "an operation that needs no key is sent without one, and an empty key is none",
        &[
            "the_explorer_sends_what_is_chosen_and_keeps_a_key_to_itself",
            "an_empty_key_is_an_absent_one",
        ],
    ),
    (
        "each sample answers, with items where it lists",
        &[
            "every_sample_for_curl_answers",
            "every_sample_in_javascript_answers",
            "every_sample_in_rust_compiles_and_answers",
        ],
    ),
    (
        "served documents name the server's host",
        &[
            "a_served_document_names_the_servers_own_host",
            "the_guides_say_where_this_server_is",
        ],
    ),
    (
        "a guide tells how a donation reaches a config, and each page that is named is there",
        &[
            "a_guide_tells_how_a_donation_reaches_a_config",
            "every_page_that_a_page_names_is_there",
        ],
    ),
    (
        "the start page and wrong paths are pages for browsers; scripts of other sites read why",
        &[
            "the_start_page_has_a_live_answer_for_people_and_links_for_programs",
            "errors_are_pages_for_browsers_and_json_for_others",
            "a_script_of_another_site_reads_why_its_path_is_wrong",
        ],
    ),
    (
        "one shell, one search; what operators run is not in it",
        &[
            "no_page_tells_callers_of_what_operators_run",
            "search_works_with_a_script_and_without",
            "every_page_can_be_read_at_any_width_and_by_everybody",
        ],
    ),
    (
        "guides are copied, wrap, say what is printed, and have an anchor at each heading",
        &[
            "every_page_can_be_read_at_any_width_and_by_everybody",
            "guides_show_what_their_code_prints",
            "each_language_of_a_guide_reads_the_same",
            "headings_have_anchors_of_their_own_or_of_their_words",
        ],
    ),
    (
        "an error says in words what is wrong, once for each violation, and leads to what explains its code",
        &[
            "a_sentence_names_the_first_violation",
            "every_violation_is_listed",
            "in_other_headers_are_noticed",
            "every_error_leads_to_its_code",
            "every_code_of_the_contract_has_an_anchor_and_a_remedy",
        ],
    ),
    (
        "examples are one project's, with its key in the demo",
        &[
            "the_quick_start_works_as_it_stands",
            "every_sample_for_curl_answers",
        ],
    ),
    (
        "a cursor works with its list and its filters alone",
        &[
            "cursors_belong_to_their_list",
            "cursors_belong_to_their_filters",
            "changed_cursors_are_refused",
        ],
    ),
    ("samples in Python run", &["every_sample_in_python_answers"]),
    (
        "long texts are compressed, files that are named by their version are kept, the viewer is one page's",
        &[
            "long_texts_are_compressed_where_that_is_asked_for",
            "a_long_public_answer_is_compressed_for_those_who_ask",
            "a_file_that_is_named_by_its_version_is_kept",
            "the_viewer_is_loaded_by_the_explorer_alone",
        ],
    ),
    (
        "axe finds nothing, in dialogs neither",
        &[
            "every_page_can_be_read_at_any_width_and_by_everybody",
            "the_explorer_sends_what_is_chosen_and_keeps_a_key_to_itself",
        ],
    ),
    (
        "the contract says what is so: of errors, of orders, and of how long lists are",
        &[
            "a_right_answer_is_right",
            "orders_are_as_documented",
            "every_array_is_bounded",
        ],
    ),
];

#[test]
fn each_promise_has_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    let mut folders = ["src", "features", "console", "tests", "db", "edge", "tls"]
        .map(|it| root.join(it))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                sources.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }
    for (what, tests) in PROMISES.iter().chain(&FIRST_HOUR) {
        for test in *tests {
            assert!(sources.contains(&format!("fn {test}(")), "{what}: {test}");
        }
    }
}
