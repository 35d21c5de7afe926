"""The demo flow as a Python program writes it, with the client that openapi-python-client makes."""

import os

from catalog import Client
from catalog.api.analytics import analytics_totals
from catalog.api.charities import charities_list
from catalog.api.configs import configs_create, configs_delete, configs_get
from catalog.models import NewBeneficiary, NewConfig

key = os.environ["KEY"]
client = Client(base_url=os.environ["API"], headers={"service-api-key": key}, timeout=30)

with client:
    page = charities_list.sync(client=client, limit=2)
    first, second = page.response
    assert page.page_key is not None, "there are more"
    after = charities_list.sync(client=client, limit=1, cursor=page.page_key)
    assert after.response[0].id != second.id, "the next page goes on"

    body = NewConfig(
        charity_beneficiaries=[
            NewBeneficiary(charity_id=first.id, weight=3),
            NewBeneficiary(charity_id=second.id, weight=1),
        ]
    )
    created = configs_create.sync_detailed(client=client, body=body)
    assert created.status_code == 201, created
    config = created.parsed
    assert [charity.weight for charity in config.charities] == ["3", "1"]

    shown = configs_get.sync(client=client, config_id=config.id.hex_)
    assert shown.stats.donation_count == "0"
    totals = analytics_totals.sync(client=client)
    assert int(totals.usd_donated_e6) > 0

    refused = charities_list.sync_detailed(client=client, limit=201)
    assert refused.status_code == 400
    assert refused.parsed.code == "VALIDATION_ERROR", refused.parsed

    deleted = configs_delete.sync_detailed(client=client, config_id=config.id.hex_)
    assert deleted.status_code in (200, 204), deleted
    gone = configs_get.sync_detailed(client=client, config_id=config.id.hex_)
    assert gone.status_code == 404 and gone.parsed.code == "NOT_FOUND", gone

print("the flow is done")
