"""Facts about the demo that schemathesis cannot derive: existing values, the responses to a missing and a wrong
key, and the reasons for which a request that fits the schemas may be refused.

No case, response or failure is dropped. Existing values replace generated ones, except the value that a case
tests: examples stay the contract's, and chained requests keep the values of their links.
"""

import itertools
import json
import os
import zlib

import requests
import schemathesis

API = os.environ["API"]
HEADER = "service-api-key"
KEY = {HEADER: os.environ["KEY"]}
session = requests.Session()


# Existing values


def read(path, **query):
    answer = session.get(API + path, params=query, headers=KEY)
    answer.raise_for_status()
    return answer.json()


def pages(path):
    """Every page of a list, ten items each."""
    page = read(path, limit=10)
    while page["pageKey"]:
        yield page
        page = read(path, limit=10, cursor=page["pageKey"])
    yield page


def items(path):
    return [item for page in pages(path) for item in page["response"]]


def cursors(path):
    """The cursors of a list; none for a list of one page."""
    return [page["pageKey"] for page in pages(path) if page["pageKey"]]


def new_config():
    """The id of an existing config, in hex and in base58 in turn."""
    body = {"charityBeneficiaries": [{"charityId": CHARITIES[0]["id"], "weight": 1}]}
    answer = session.post(API + "/configs", json=body, headers=KEY)
    answer.raise_for_status()
    return answer.json()["id"][next(SPELLINGS)]


def webhook(number):
    """The path parameters of a webhook that exists, one of those of the project in turn, with a delivery."""
    known = read("/webhooks")["response"]
    if known:
        id_ = known[number % len(known)]["id"]
    else:
        body = {"url": "https://partner.example/hooks", "events": ["config.created"]}
        answer = session.post(API + "/webhooks", json=body, headers=KEY)
        answer.raise_for_status()
        id_ = answer.json()["id"]
    deliveries = read(f"/webhooks/{id_}/deliveries")["response"]
    if not deliveries:
        answer = session.post(f"{API}/webhooks/{id_}/test", headers=KEY)
        answer.raise_for_status()
        deliveries = [answer.json()]
    return {"webhookId": id_, "deliveryId": deliveries[0]["id"]}


def make_room_for_a_webhook():
    """Deletes the oldest webhook if the project has several: it may have few."""
    known = read("/webhooks")["response"]
    if len(known) > 2:
        session.delete(f"{API}/webhooks/{known[0]['id']}", headers=KEY).raise_for_status()


# Lookups in the contract


CONTRACT = read("/openapi")
OPERATIONS = {it["operationId"]: (path, it) for path, item in CONTRACT["paths"].items() for it in item.values()}
ITEM = "$response.body#/response/0"


def resolved(value):
    """Resolves a reference of the contract; other values are returned unchanged."""
    while "$ref" in value:
        value = at(CONTRACT, value["$ref"].removeprefix("#"))
    return value


def at(value, pointer):
    """The value at a JSON pointer."""
    for name in pointer.split("/")[1:]:
        value = value[name.replace("~1", "/").replace("~0", "~")]
    return value


def shown(operation, place):
    """The parameters in a place, each with its first example, which the demo has."""
    found = [it for it in map(resolved, operation.get("parameters", [])) if it["in"] == place]
    return {it["name"]: resolved(next(iter(it["examples"].values())))["value"] for it in found}


def path_to(operation):
    """The path of an operation, with the contract's examples."""
    path, operation = OPERATIONS[operation]
    return path.format(**shown(operation, "path"))


def linked(name):
    """The path parameters that the links of a list take from its items, for each linked operation."""
    found = {}
    for link in map(resolved, resolved(OPERATIONS[name][1]["responses"]["200"]).get("links", {}).values()):
        taken = {key: it.removeprefix(ITEM) for key, it in link["parameters"].items() if it.startswith(ITEM)}
        if taken and taken.keys() == shown(OPERATIONS[link["operationId"]][1], "path").keys():
            known = found.setdefault(link["operationId"], [])
            known += [{key: at(it, pointer) for key, pointer in taken.items()} for it in items(path_to(name))]
    return found


PAGED = [name for name, (_, it) in OPERATIONS.items() if "cursor" in shown(it, "query")]
CURSORS = {name: cursors(path_to(name)) for name in PAGED}
PATHS = {name: [shown(it, "path")] for name, (_, it) in OPERATIONS.items() if shown(it, "path")}
for list_ in PAGED:
    for name, known in linked(list_).items():
        PATHS[name] += known
CHARITIES = items("/charities")
for known in PATHS.values():
    if known[0].keys() == {"charityId"}:
        known += [{"charityId": it["slug"]} for it in CHARITIES]
SPELLINGS = itertools.cycle(["hex", "base58"])
NUMBERS = itertools.count()


def path_of(operation, number):
    """Path parameters that exist, for operations whose path has parameters."""
    known = PATHS.get(operation)
    if known and "configId" in known[0]:
        return {"configId": new_config()}
    if known and "webhookId" in known[0]:
        existing = webhook(number)
        return {name: existing[name] for name in known[0]}
    return known and known[number % len(known)]


def query_of(operation, number, query):
    """The query with a range that is in order, and with a valid cursor or, if the list has returned none, without one.

    A cursor belongs to the filters that it was returned for, here none, so that every other query keeps its
    filters instead.
    """
    query = in_order(query)
    if "cursor" not in query:
        return query
    issued = CURSORS.get(operation)
    if number % 2 or not issued:
        return {name: value for name, value in query.items() if name != "cursor"}
    limit = {name: value for name, value in query.items() if name == "limit"}
    return {**limit, "cursor": issued[number % len(issued)]}


def in_order(query, tested=None):
    """The query with a range whose bounds are equal, if it has both; the bound that a case tests stays."""
    if "from" not in query or "to" not in query:
        return query
    bound = query["to"] if tested == "to" else query["from"]
    return {**query, "from": bound, "to": bound}


def body_of(number, body):
    """The body with different charities that exist, if it names charities."""
    if not isinstance(body, dict) or "charityBeneficiaries" not in body:
        return None
    chosen = (CHARITIES[(number + place) % len(CHARITIES)]["id"] for place in itertools.count())
    beneficiaries = [{**it, "charityId": charity} for it, charity in zip(body["charityBeneficiaries"], chosen)]
    return {**body, "charityBeneficiaries": beneficiaries}


def headers_of(headers):
    """The headers with an unused idempotency key, and a condition that holds for every resource, if they have such.

    Hypothesis often generates the same texts, and the stored response for one of them may describe a config
    that another chain of requests has deleted since.
    """
    existing = {"Idempotency-Key": f"request-{next(NUMBERS)}", "If-Match": "*"}
    existing = {name: value for name, value in existing.items() if name in headers}
    if not existing:
        return None
    headers = headers.copy()
    headers.update(existing)
    return headers


@schemathesis.hook
def before_add_examples(context, examples):
    """Takes the cursor out of the contract's examples: it is one of a list without filters, and they have all."""
    for case in examples:
        if case.query:
            case.query.pop("cursor", None)


@schemathesis.hook
def map_case(context, case):
    """Gives three of four fuzzed cases existing values, and all cases of the coverage phase, which share one
    generated value for each location, except in the part that a case tests.

    Chained requests only get an idempotency key: they take existing values from earlier responses.
    """
    meta = case.meta
    operation = case.operation.definition.raw["operationId"]
    about = meta.phase.data.parameter_location if meta.phase.name == "coverage" else None

    def supply(location, value, existing):
        component = meta.components.get(location)
        if component is None or not component.mode.is_positive or location == about:
            return value
        # The number depends on the generated value alone, so that a seed gives the same cases again.
        number = zlib.crc32(json.dumps(value, sort_keys=True, default=str).encode())
        if meta.phase.name == "fuzzing" and number % 4 == 0:
            return value
        return existing(number // 4) or value

    if meta.phase.name != "examples":
        case.headers = supply("header", case.headers, lambda _: headers_of(case.headers))
    if meta.phase.name in ("coverage", "fuzzing"):
        if operation == "webhooks.create":
            make_room_for_a_webhook()
        case.path_parameters = supply("path", case.path_parameters, lambda number: path_of(operation, number))
        case.query = supply("query", case.query, lambda number: query_of(operation, number, case.query))
        case.body = supply("body", case.body, lambda number: body_of(number, case.body))
        if about == "query" and meta.components["query"].mode.is_positive:
            case.query = in_order(case.query, meta.phase.data.parameter)
    return case


@schemathesis.deserializer("text/csv")
def text_of_csv(context, response):
    """The contract describes a file of CSV as a text."""
    return response.content.decode()


# Checks beyond the schemas


asked = set()


@schemathesis.check
def keys_are_demanded(ctx, response, case):
    """Sends an accepted request again without its key and with a wrong one, as `ignored_auth` does: once for
    each operation and phase, because the key is checked before the rest of a request."""
    root = case.operation.schema.raw_schema
    needed = case.operation.definition.raw.get("security", root["security"])
    about = (case.operation.label, ctx.phase)
    if not 200 <= response.status_code < 300 or not any(needed) or about in asked:
        return
    probes = [("SCHEMATHESIS-INVALID-VALUE", 403, "INVALID_API_KEY")]
    if {} not in needed:
        probes.append((None, 400, "MISSING_API_KEY"))
    for key, status, code in probes:
        headers = case.headers.copy()
        headers.pop(HEADER, None)
        if key:
            headers[HEADER] = key
        answer = case.derive(headers=headers).call(session=session)
        said = (answer.status_code, answer.json().get("code"))
        assert said == (status, code), f"with the key {key}: {said} instead of {(status, code)}"
    asked.add(about)


@schemathesis.check
class RefusedForAStatedReason:
    """A request that fits all schemas is answered 400 only for a reason that the configuration states."""

    def __init__(self, reasons):
        self.reasons = reasons

    def after_response(self, ctx, response, case):
        if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
            return
        operation = case.operation.definition.raw
        known = {resolved(it)["name"] for it in operation.get("parameters", [])}
        stated = {(it["parameter"], it["keyword"]) for it in self.reasons if known.issuperset(it["of"])}
        answer = response.json()
        assert "data" in answer, f"a request that fits all schemas is refused with {answer['code']}"
        for issue in answer["data"]["issues"]:
            reason = (issue.get("parameter"), issue["keyword"])
            assert reason in stated, f"{operation['operationId']} is refused for a reason that is not stated: {reason}"
