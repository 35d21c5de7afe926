"""Mutates responses, for each check of schemathesis in a way that it must notice.

Each operation has a mutation of its own, so that one run covers all checks.
"""

import itertools
import json
import os
import sys

import schemathesis

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hooks  # noqa: E402, F401  The values, and our own checks.


def status(response, code):
    response.status_code = code


def refuse(response, code, **body):
    response.status_code = code
    response.headers["content-type"] = ["application/json"]
    response.content = json.dumps(body).encode()


def lose_first_name(response):
    body = response.json()
    body["response"][0].pop("name", None)
    response.content = json.dumps(body).encode()


UNSTATED = {"issues": [{"in": "path", "parameter": "campaignId", "keyword": "pattern", "message": "no"}]}
TURNS = itertools.cycle([True, False])
GOOD = range(200, 300)
BAD = range(400, 500)
# By operation: the statuses of the responses that are mutated, and the mutation.
MUTATIONS = {
    "charities.list": (GOOD, lambda response: status(response, 500)),  # not_a_server_error
    "charities.feed": (GOOD, lambda response: status(response, 299)),  # status_code_conformance
    "charities.feedAtom": (GOOD, lambda response: response.headers.update({"content-type": ["text/html"]})),
    "charities.get": (GOOD, lambda response: response.headers.pop("etag", None)),  # response_headers_conformance
    "chains.list": (GOOD, lose_first_name),  # response_schema_conformance
    "campaigns.list": (BAD, lambda response: status(response, 200)),  # negative_data_rejection
    "campaigns.get": (GOOD, lambda response: refuse(response, 400, data=UNSTATED)),  # RefusedForAStatedReason
    "charities.donations": (GOOD, lambda response: refuse(response, 403)),  # positive_data_acceptance
    "tokens.list": ([405], lambda response: response.headers.update({"allow": ["GET, PATCH"]})),
    # The line above: allow_header_conformance.
    "tokens.get": ([405], lambda response: status(response, 200)),  # unsupported_method
    "analytics.totals": ([400, 403], lambda response: status(response, 200)),
    # The line above: missing_required_header and keys_are_demanded.
    "analytics.series": (GOOD, lambda response: setattr(response, "elapsed", 11.0)),  # max_response_time
    # A created config is missing every other time, and a deleted one still exists.
    "configs.update": (GOOD, lambda response: status(response, 404)),  # ensure_resource_availability
    "configs.delete": (GOOD, lambda response: next(TURNS) and status(response, 404)),  # ensure_resource_availability
    "configs.get": ([404], lambda response: status(response, 200)),  # use_after_free
    "configs.donations": ([404], lambda response: status(response, 200)),  # the same
}


@schemathesis.hook
def after_call(context, case, response):
    statuses, mutation = MUTATIONS.get(case.operation.definition.raw["operationId"], ((), None))
    if response.status_code in statuses:
        mutation(response)
