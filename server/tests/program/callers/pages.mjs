// Opens every page that the shell surrounds in headless Chromium, at three widths and in both colour schemes:
// none may be wider than its window, break a rule of axe, be refused something or ask another machine.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';

const { NODE_MODULES, SERVER, PICTURES } = process.env;
const require = createRequire(`${NODE_MODULES}/`);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const guides = [...(await (await fetch(`${SERVER}/docs/`)).text()).matchAll(/href="\.\.\/(docs\/guides\/[a-z-]+)"/g)];
const PAGES = new Set(['', 'status', 'charities/fictional-rivers-trust', 'nowhere', 'docs/', 'docs/reference',
  'docs/reference/configs.create', 'docs/reference/schemas', 'docs/changelog', 'docs/search?q=limit',
  ...guides.map(([, path]) => path)]);
const faults = [];

const browser = await chromium.launch({
  executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
  // A sandbox inside a container's root account cannot be made; the pages are our own.
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-quic',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** What axe-core finds, in words. */
async function audit(page, about) {
  const found = await page.evaluate(async (source) => {
    (0, eval)(source);
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
  }, axe);
  faults.push(...found.map((finding) => `${about}: ${finding}`));
}

for (const width of [320, 768, 1400]) {
  for (const colorScheme of ['light', 'dark']) {
    // The policy of the pages forbids `eval`, by which axe is brought in; that it is kept is seen below.
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    for (const path of PAGES) {
      const about = `/${path} at ${width} px, ${colorScheme}`;
      await page.goto(`${SERVER}/${path}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (wide) faults.push(`${about} is too wide`);
      await audit(page, about);
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${path.replaceAll('/', '-')}-${width}-${colorScheme}.png`, fullPage: true });
    }
    await context.close();
  }
}

// With the policy kept, and scripts on and off.
for (const javaScriptEnabled of [true, false]) {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== SERVER) faults.push(`asks for ${request.url()}`);
  });
  page.on('console', (message) => {
    const expected = page.url().endsWith('/nowhere') && /404/.test(message.text());
    if (message.type() === 'error' && !expected) faults.push(`${page.url()}: ${message.text()}`);
  });
  for (const path of PAGES) {
    await page.goto(`${SERVER}/${path}`);
    assert.ok(await page.getByRole('heading', { level: 1 }).isVisible(), `/${path} has a heading`);
  }
  await page.goto(`${SERVER}/`);
  const buttons = await page.getByRole('button', { name: 'Copy' }).count();
  assert.equal(buttons > 0, javaScriptEnabled, 'code can be copied where scripts run');
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' }).click();
  assert.equal(await page.title(), 'Documentation · Donation Catalog');
  await context.close();
}
await browser.close();

assert.deepEqual(faults, [], faults.join('\n'));
console.log(`${PAGES.size} pages: nothing too wide, refused, asked of others or hard to reach`);
