// A browser that notes what pages must not do, and a look at a page at several widths, in both color schemes and
// with large text: in a few layouts, or with EVERY_LAYOUT in all of them.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { NODE_MODULES, PICTURES, SERVER, screenshot } from './chromium.mjs';

const require = createRequire(`${NODE_MODULES}/`);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The origins of a demo: its address, its name, which passkeys are made for, and a provider to sign in by. */
const ORIGINS = [SERVER, `http://localhost:${new URL(SERVER).port}`, process.env.PROVIDER];

export const problems = [];
/** The pages that run scripts, which axe-core is one of. */
const scripted = new WeakSet();

/** The size of text that a browser has by default, in pixels. */
const TEXT = 16;
/** Every layout. An audit takes a second, so that axe sees each width and each scheme, and not each of both. */
const EVERY_LAYOUT = [
  { width: 320, colorScheme: 'light', text: TEXT, isAudited: true },
  { width: 320, colorScheme: 'dark', text: TEXT },
  { width: 320, colorScheme: 'light', text: 2 * TEXT },
  { width: 768, colorScheme: 'light', text: TEXT },
  { width: 768, colorScheme: 'dark', text: TEXT },
  { width: 960, colorScheme: 'light', text: TEXT },
  { width: 1400, colorScheme: 'light', text: TEXT },
  { width: 1400, colorScheme: 'dark', text: TEXT, isAudited: true },
  { width: 768, colorScheme: 'light', text: 2 * TEXT },
  { width: 768, colorScheme: 'dark', text: 2 * TEXT, isAudited: true },
];
/** The layouts that break most often. */
const FEW_LAYOUTS = [
  { width: 320, colorScheme: 'dark', text: TEXT, isAudited: true },
  { width: 320, colorScheme: 'light', text: 2 * TEXT },
  { width: 1400, colorScheme: 'light', text: TEXT },
];

/** The layouts in which a page is looked at. Scripts hardly change a layout, so that pages without them have one. */
function layouts(page) {
  if (process.env.EVERY_LAYOUT) return EVERY_LAYOUT;
  return scripted.has(page) ? FEW_LAYOUTS : FEW_LAYOUTS.slice(0, 1);
}

/** A page of a browser of its own, which notes what it asks of others and what it is refused. */
export async function open(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  if (options.javaScriptEnabled !== false) scripted.add(page);
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !ORIGINS.includes(url.origin)) problems.push(`${page.url()} asks for ${url}`);
  });
  page.on('console', (message) => {
    // That a page is an error is seen by those who asked for it; everything else that a page says is a problem.
    const isOfPage = message.text().startsWith('Failed to load resource') && message.location().url === page.url();
    if (message.type() === 'error' && !isOfPage) problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  return page;
}

/** What axe-core finds, in words. It is run from outside the page, whose policy is kept. */
async function audit(page, about) {
  if (await page.evaluate('typeof axe') === 'undefined') await page.evaluate(`${axe};0`);
  const found = await page.evaluate(async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
  });
  problems.push(...found.map((finding) => `${about}: ${finding}`));
}

/** Looks at a page in each layout: it may not be wider than its window, nor, where it is audited, break a rule of axe. */
export async function look(page, name) {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const devtools = await page.context().newCDPSession(page);
  for (const { width, colorScheme, text, isAudited } of layouts(page)) {
    const about = `${name} at ${width} px, ${colorScheme}, text of ${text} px`;
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: text, fixed: text * 13 / 16 } });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) problems.push(`${about} is too wide by ${wide} px`);
    if (isAudited && scripted.has(page)) await audit(page, about);
    if (PICTURES && scripted.has(page)) await screenshot(page, `${PICTURES}/${name.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}-${text}.png`, { fullPage: true });
  }
  // What follows is done in a wide window, where all links are in sight.
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: TEXT, fixed: TEXT * 13 / 16 } });
  await page.setViewportSize({ width: 1400, height: 900 });
  await devtools.detach();
}

/** Closes the browser, and fails with what was noted. */
export async function close(browser, said) {
  await browser.close();
  assert.deepEqual([...new Set(problems)], [], problems.join('\n'));
  console.log(said);
}
