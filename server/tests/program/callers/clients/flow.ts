// The demo flow as a TypeScript program writes it, with nothing typed by hand: openapi-typescript makes
// the types from the contract, openapi-fetch sends the requests.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

declare const process: { env: Record<string, string | undefined> };

type Config = components['schemas']['Config'];

const client = createClient<paths>({
  baseUrl: process.env['API'] ?? '',
  headers: { 'service-api-key': process.env['KEY'] ?? '' },
});

function check(condition: boolean, about: string): asserts condition {
  if (!condition) throw new Error(about);
}

const listed = await client.GET('/charities', { params: { query: { limit: 2 } } });
check(listed.data !== undefined, 'charities are listed');
const [first, second] = listed.data.response;
check(first !== undefined && second !== undefined && listed.data.pageKey !== null, 'two, and more to come');
const next = await client.GET('/charities', { params: { query: { limit: 1, cursor: listed.data.pageKey } } });
check(next.data?.response[0]?.id !== second.id, 'the next page goes on');

const created = await client.POST('/configs', {
  body: { charityBeneficiaries: [{ charityId: first.id, weight: 3 }, { charityId: second.id, weight: 1 }] },
});
check(created.response.status === 201 && created.data !== undefined, 'a config is created');
const config: Config = created.data;
check(config.charities.map((charity) => charity.weight).join() === '3,1', 'with its weights');
const params = { path: { configId: config.id.hex } };
const shown = await client.GET('/configs/{configId}', { params });
check(shown.data?.stats.donationCount === '0', 'nothing was donated to it');
const totals = await client.GET('/analytics');
check(totals.data !== undefined && BigInt(totals.data.usdDonatedE6) > 0n, 'the project has donations');

const refused = await client.GET('/charities', { params: { query: { limit: 201 } } });
check(refused.error !== undefined && 'defined' in refused.error, 'a limit beyond its bound is refused');
check(refused.error.code === 'VALIDATION_ERROR', 'and says why');

const deleted = await client.DELETE('/configs/{configId}', { params });
check(deleted.response.ok, 'the config is deleted');
const gone = await client.GET('/configs/{configId}', { params });
check(gone.response.status === 404 && gone.error?.code === 'NOT_FOUND', 'and gone');
console.log('the flow is done');
