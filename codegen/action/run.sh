#!/usr/bin/env bash
# What the action does once openapi-crate is installed. Every check runs, also after one that fails.
set -euo pipefail

status=0
openapi-crate gen --check || status=1
openapi-crate lint --format github || status=1

if [ -n "${GITHUB_BASE_REF:-}" ]; then
    report=$(mktemp)
    compared=0
    openapi-crate diff "origin/$GITHUB_BASE_REF" --format markdown > "$report" || compared=$?
    if [ "$compared" -ge 2 ]; then
        # A new document, or a clone without the branch below.
        echo "::warning::openapi-crate has nothing to compare the document with"
    else
        cat "$report" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
        # A pull request from a fork has no right to comment; its summary has the report.
        gh pr comment "$PULL_REQUEST" --edit-last --create-if-none --body-file "$report" ||
            echo "::warning::the pull request cannot be commented on: see the summary of the job"
        if [ "$compared" -eq 1 ] && [ "${ALLOW_BREAKS:-false}" != true ]; then
            status=1
        fi
    fi
fi
exit "$status"
