//! What the dashboard promises, with the tests that hold it.

use std::fs;
use std::path::Path;

/// What holds, and names of tests that fail where it does not.
const PROMISES: &[(&str, &[&str])] = &[
    (
        "from the start page or a mail to a first answer with a ready curl, 4 pages",
        &[
            "a_newcomer_has_an_answer_with_a_key_on_the_fourth_page",
            "from_a_mail_to_the_first_answer_in_four_pages",
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
        "following a link consumes nothing, its button does",
        &["following_a_link_consumes_nothing_and_confirming_it_does"],
    ),
    (
        "a link signs in once, in the browser that asked; elsewhere a code is typed",
        &[
            "a_link_signs_in_once_and_where_it_was_asked_for",
            "of_concurrent_confirmations_one_succeeds",
            "a_code_is_guessed_five_times",
        ],
    ),
    (
        "a known and an unknown address are answered alike, mail waits in an outbox",
        &["known_and_unknown_addresses_are_answered_alike"],
    ),
    (
        "mails are limited, and nobody is locked out",
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
        ],
    ),
    (
        "sessions are new at each sign-in, end in time, are listed and ended",
        &[
            "a_session_that_was_planted_is_not_the_one_that_is_signed_in",
            "sessions_end",
            "all_other_sessions_are_ended_at_once",
        ],
    ),
    (
        "what opens a project to others needs a recent sign-in",
        &[
            "confirming_that_it_is_you_signs_the_same_account_in_anew",
            "each_route_answers_each_role_as_it_may",
        ],
    ),
    (
        "a key is shown once and issued once",
        &[
            "a_key_is_shown_once_and_issued_once",
            "a_project_and_its_first_key_are_made_once",
            "forms_that_are_sent_at_the_same_time_issue_one_key",
        ],
    ),
    (
        "a rotated key works as long as was chosen, and both are plotted",
        &["a_rotated_key_works_as_long_as_was_chosen"],
    ),
    (
        "a revoked key is refused within a second",
        &["a_revoked_key_is_refused"],
    ),
    (
        "the editor of configs refuses what the API refuses",
        &[
            "a_form_is_refused_where_the_api_refuses_the_same_config",
            "a_deleted_config_is_hidden_and_what_it_received_stays",
        ],
    ),
    (
        "who changed what is told, and never changes",
        &["changes_are_told_in_the_audit_log", "never_change"],
    ),
    (
        "teams: members are invited, the last owner stays, what is foreign is not there",
        &[
            "an_invited_address_signs_in_sees_who_invites_and_joins",
            "owners_hand_over_and_leave_but_for_the_last",
            "another_accounts_projects_and_keys_are_not_there",
        ],
    ),
    (
        "everybody can read it: WCAG 2.2 AA, 320 px, text of 200 %, both schemes",
        &["a_developer_does_everything_in_the_dashboard_with_scripts_and_without"],
    ),
    (
        "nothing is inline or from elsewhere; an account is exported and erased",
        &["no_page_is_kept_framed_or_has_inline_scripts"],
    ),
    (
        "a demo signs in by one click and shows its mail",
        &["the_demos_developer_owns_its_projects"],
    ),
];

#[test]
fn each_promise_has_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    let mut folders = vec![root.join("src"), root.join("tests")];
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
    for (what, tests) in PROMISES {
        for test in *tests {
            assert!(sources.contains(&format!("fn {test}(")), "{what}: {test}");
        }
    }
}
