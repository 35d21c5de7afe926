// Drives the documentation in headless Chromium: every page is read at two widths and in both colour
// schemes, an operation is found and tried with a key, and nothing may be asked of another machine,
// refused by a page's policy, or be a serious obstacle for people who do not see or use no mouse.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';

const { NODE_MODULES, SERVER, KEY, PICTURES } = process.env;
const require = createRequire(`${NODE_MODULES}/`);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const GUIDES = ['quick-start', 'authentication', 'paging', 'limits', 'errors',
  'conditional-requests', 'donations', 'feed', 'versioning'];
const SIZES = { desktop: { width: 1360, height: 900 }, phone: { width: 390, height: 844 } };
const faults = [];

const browser = await chromium.launch({
  executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
  // A sandbox inside a container's root account cannot be made; the pages are our own.
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** A page that notes what it asks of others and what it is refused. */
async function open(size, colorScheme) {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme });
  const page = await context.newPage();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== SERVER) faults.push(`asks for ${url}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  return page;
}

/** What axe-core finds and holds for serious, in words. */
async function audit(page, about) {
  const found = await page.evaluate(async (source) => {
    (0, eval)(source);
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes.map((n) => `${n.html} ${n.failureSummary}`) }));
  }, axe);
  for (const { id, impact, html } of found) {
    if (['serious', 'critical'].includes(impact)) faults.push(`${about}: ${id}: ${html.slice(0, 3).join('\n  ')}`);
  }
}

/** Waits until the reference shows the operation with this summary. */
async function settled(page, summary) {
  const heading = page.getByRole('heading', { name: summary, exact: true });
  await heading.first().waitFor({ state: 'attached', timeout: 60_000 });
  await page.waitForTimeout(1500);
}

/** Opens what an operation is tried with, gives the key and sends; the dialog and the answer. */
async function tried(page, summary) {
  const heading = page.getByRole('heading', { name: summary, exact: true });
  const operation = page.locator('section').filter({ has: heading }).last();
  await operation.getByRole('button', { name: /Test Request/ }).first().click();
  const dialog = page.getByRole('dialog').last();
  await dialog.waitFor();
  await dialog.getByRole('textbox', { name: /service-api-key|value/i }).first().fill(KEY);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/api/v1/configs')),
    dialog.getByRole('button', { name: /^Send/ }).first().click(),
  ]);
  await page.waitForTimeout(1500);
  return { dialog, answer };
}

async function picture(page, name) {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

// The policy of the page forbids `eval`, so auditing a page needs a context that bypasses it.
async function audited(size, colorScheme) {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme, bypassCSP: true });
  return context.newPage();
}

for (const size of Object.keys(SIZES)) {
  for (const scheme of ['light', 'dark']) {
    const page = await open(size, scheme);
    for (const guide of GUIDES) {
      await page.goto(`${SERVER}/docs/guides/${guide}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (wide) faults.push(`${guide} is wider than a ${size}`);
      await picture(page, `${guide}-${size}-${scheme}`);
    }
    await page.goto(`${SERVER}/docs/reference#tag/charities/GET/charities`);
    await settled(page, 'List charities');
    await picture(page, `reference-${size}-${scheme}`);
    await page.context().close();
  }
}

for (const scheme of ['light', 'dark']) {
  const page = await audited('desktop', scheme);
  for (const [place, summary] of [
    ['tag/charities/GET/charities', 'List charities'],
    ['tag/configs/POST/configs', 'Create a config'],
  ]) {
    await page.goto(`${SERVER}/docs/reference#${place}`);
    await settled(page, summary);
    await audit(page, `${summary} (${scheme})`);
    await page.goto('about:blank');
  }
  for (const guide of GUIDES) {
    await page.goto(`${SERVER}/docs/guides/${guide}`);
    await audit(page, `${guide} (${scheme})`);
  }
  for (const size of Object.keys(SIZES)) {
    const trying = await audited(size, scheme);
    await trying.goto(`${SERVER}/docs/reference#tag/configs/GET/configs`);
    await settled(trying, 'List configs');
    await tried(trying, 'List configs');
    await audit(trying, `trying on a ${size} (${scheme})`);
    await picture(trying, `tried-${size}-${scheme}`);
    await trying.context().close();
  }
  await page.context().close();
}

// Finds the list of configs by search and keyboard alone, gives the key, and sees the answer.
const page = await open('desktop', 'light');
await page.goto(`${SERVER}/docs/reference`);
await settled(page, 'Donation Catalog API');
await page.keyboard.press('Control+k');
await page.keyboard.type('List configs');
await page.getByRole('option', { name: /List configs/ }).waitFor();
await page.keyboard.press('ArrowDown');
await page.keyboard.press('Enter');
await page.waitForTimeout(1500);
assert.match(page.url(), /configs/i, 'the search leads to the operation');
const { dialog, answer } = await tried(page, 'List configs');
assert.equal(answer.status(), 200, 'the key that was typed is sent');
assert.match(await dialog.innerText(), /200\s*OK/, 'the answer is shown');
await picture(page, 'tried');
await browser.close();

assert.deepEqual(faults, [], faults.join('\n'));
console.log(`${GUIDES.length} guides and the reference: nothing refused, nothing asked of others`);
