// Goes from the start page of a demo to a first answer with a key, as a newcomer does, and counts pages, clicks
// and seconds.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { SERVER, launch, navigate } from './chromium.mjs';
import { close, open } from './look.mjs';

const MOST_PAGES = 4;
const MOST_SECONDS = 120;

const browser = await launch();
const page = await open(browser, { javaScriptEnabled: false });
let [pages, clicks] = [0, 0];
page.on('load', () => { pages += 1; });
const click = (role, name) => {
  clicks += 1;
  return navigate(page.getByRole(role, { name, exact: true }));
};

const start = performance.now();
await page.goto(`${SERVER}/`);
await click('link', 'Get a key');
await click('button', 'Continue as the demo’s developer');
await page.getByLabel('Name').fill('Wallet');
await click('button', 'Create project');
const line = await page.locator('pre', { hasText: 'curl' }).innerText();
const answer = execFileSync('sh', ['-c', `${line} --silent --fail-with-body`], { encoding: 'utf8' });
assert.ok(JSON.parse(answer).response.length > 0, `${line}: ${answer}`);
assert.ok(pages <= MOST_PAGES, `${pages} pages`);
const seconds = (performance.now() - start) / 1000;
assert.ok(seconds < MOST_SECONDS, `${seconds} s`);
await close(browser, `a first answer with a key after ${pages} pages, ${clicks} clicks, one name and ${seconds.toFixed(1)} s`);
