// What the scripts that drive headless Chromium have in common.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

export const { NODE_MODULES, SERVER, KEY, PICTURES } = process.env;
const require = createRequire(`${NODE_MODULES}/`);
const { chromium } = require('playwright-core');

/** How long the browser may take for anything on a busy machine, in milliseconds. */
const TIMEOUT = 120_000;

export async function launch() {
  const browser = await chromium.launch({
    executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    // A sandbox inside a container's root account cannot be made; the pages are our own.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  return browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT));
}

/** Clicks, or does something else, and waits until the page that this leads to has loaded. A click alone does not wait. */
export async function navigate(locator, act = (it) => it.click()) {
  await Promise.all([locator.page().waitForEvent('framenavigated'), act(locator)]);
  await locator.page().waitForLoadState();
}

/** What axe-core finds on a page, in words. The policy of pages forbids `eval`: the context bypasses it. */
export async function audit(page) {
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  return page.evaluate(async (source) => {
    (0, eval)(source);
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes.slice(0, 3).map((node) => `${node.html} ${node.failureSummary}`).join('\n  ')}`);
  }, axe);
}

export async function picture(page, name) {
  if (PICTURES) await screenshot(page, `${PICTURES}/${name}.png`);
}

/** Takes a picture of a page. Chromium, which has just started on a busy machine, may refuse the first. */
export async function screenshot(page, path, options = {}) {
  const take = () => page.screenshot({ path, ...options });
  await take().catch(async () => {
    await page.waitForTimeout(1000);
    await take();
  });
}
