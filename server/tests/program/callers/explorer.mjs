// Sends requests in the explorer: without a key where none is needed, and with one, which stays in its tab. Audits it
// in both colour schemes, dialogs included.
import assert from 'node:assert/strict';
import { KEY, SERVER, audit, launch, picture } from './chromium.mjs';

const SIZES = { desktop: { width: 1400, height: 900 }, tablet: { width: 768, height: 900 }, phone: { width: 320, height: 844 } };
const problems = [];
const browser = await launch();

async function open(size, colorScheme, bypassCSP = false, server = SERVER) {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme, bypassCSP });
  const page = await context.newPage();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== server) problems.push(`asks for ${url}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  return page;
}

/** Opens the dialog in which an operation is tried. */
async function trying(page, place, summary, server = SERVER) {
  await page.goto(`${server}/docs/explorer#${place}`);
  const heading = page.getByRole('heading', { name: summary, exact: true });
  await heading.first().waitFor({ state: 'attached' });
  const operation = page.locator('section').filter({ has: heading }).last();
  await operation.getByRole('button', { name: /Test Request/ }).first().click();
  const dialog = page.getByRole('dialog').last();
  await dialog.waitFor();
  return dialog;
}

/** Sends what the dialog has, and waits until it shows the answer. */
async function sent(page, dialog, path) {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === path),
    dialog.getByRole('button', { name: /^Send/ }).first().click(),
  ]);
  // What the dialog shows last of an answer: that it is kept, and marks that fold the objects of its body.
  await dialog.getByRole('button', { name: 'Request History' }).waitFor();
  await dialog.locator('.cm-foldMarker').last().waitFor();
  return answer;
}

/** Waits until no animation runs. */
const still = (page) => page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));

for (const [size, colorScheme] of [['desktop', 'light'], ['tablet', 'dark'], ['phone', 'dark']]) {
  const page = await open(size, colorScheme, true);
  await page.goto(`${SERVER}/docs/explorer#tag/charities/GET/charities`);
  await page.getByRole('heading', { name: 'List charities', exact: true }).first().waitFor();
  // The viewer has the colours of the page.
  await page.locator(`body.${colorScheme}-mode`).waitFor();
  await still(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  if (wide) problems.push(`the explorer is wider than a ${size}`);
  await picture(page, `explorer-${size}-${colorScheme}`);
  problems.push(...(await audit(page)).map((found) => `explorer, ${size}, ${colorScheme}: ${found}`));
  const dialog = await trying(page, 'tag/configs/GET/configs', 'List configs');
  await still(page);
  await picture(page, `trying-${size}-${colorScheme}`);
  problems.push(...(await audit(page)).map((found) => `dialog, ${size}, ${colorScheme}: ${found}`));
  await dialog.getByRole('textbox', { name: /service-api-key|value/i }).first().fill(KEY);
  await sent(page, dialog, '/api/v1/configs');
  await still(page);
  await picture(page, `tried-${size}-${colorScheme}`);
  problems.push(...(await audit(page)).map((found) => `answer, ${size}, ${colorScheme}: ${found}`));
  await page.context().close();
}

// Without a key, and with no optional parameter: the list has items.
const keyless = await open('desktop', 'light');
const list = await trying(keyless, 'tag/charities/GET/charities', 'List charities');
const open_ = await sent(keyless, list, '/api/v1/charities');
assert.equal(open_.status(), 200, 'a read without a key is answered');
assert.equal(new URL(open_.url()).search, '', 'no optional parameter is sent');
assert.ok((await open_.json()).response.length > 0, 'the list has items');
const headers = open_.request().headers();
assert.ok(!('service-api-key' in headers) && !('if-none-match' in headers), JSON.stringify(headers));

// The demo's dashboard leads to the explorer at `localhost`, where it sends its requests too.
const LOCAL = `http://localhost:${new URL(SERVER).port}`;
const local = await open('desktop', 'light', false, LOCAL);
const listed = await trying(local, 'tag/charities/GET/charities', 'List charities', LOCAL);
assert.equal((await sent(local, listed, '/api/v1/charities')).status(), 200, 'the page asks its own origin');

// A key that is typed stays in its tab.
const keyed = await open('desktop', 'light');
const configs = await trying(keyed, 'tag/configs/GET/configs', 'List configs');
const field = configs.getByRole('textbox', { name: /service-api-key|value/i }).first();
assert.equal((await field.innerText()).replace(/\s|\u200b/g, ''), '', 'no key is made up');
assert.ok(!(await keyed.content()).includes('QUxMIFlPVVI'), 'nor shown in the place of one');
await field.fill(KEY);
const answer = await sent(keyed, configs, '/api/v1/configs');
assert.equal(answer.status(), 200, 'the key that was typed is sent');
const kept = await keyed.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage },
  document.cookie, await indexedDB.databases()]));
assert.ok(!kept.includes(KEY), `the key is kept: ${kept}`);
assert.deepEqual(await keyed.context().cookies(), []);
await keyed.reload();
await keyed.getByRole('heading', { name: 'List configs', exact: true }).first().waitFor();
assert.ok(!(await keyed.content()).includes(KEY), 'a reload forgets the key');
await browser.close();

assert.deepEqual(problems, [], problems.join('\n'));
console.log('the explorer sends what is chosen, keeps no key, and breaks no rule of axe');
