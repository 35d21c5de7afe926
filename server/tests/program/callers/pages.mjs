// Opens every public page in headless Chromium, in every layout, and with scripts off.
import assert from 'node:assert/strict';
import { SERVER, launch, navigate } from './chromium.mjs';
import { close, look, open } from './look.mjs';

const guides = [...(await (await fetch(`${SERVER}/docs/`)).text()).matchAll(/href="\.\.\/(docs\/guides\/[a-z-]+)"/g)];
const PAGES = new Set(['', 'charities', 'charities?q=river&category=environment', 'charities?q=no-such-charity', 'status', 'charities/fictional-rivers-trust', 'nowhere', 'docs/', 'docs/reference',
  'docs/reference/configs.create', 'docs/reference/schemas', 'docs/changelog', 'docs/search?q=limit',
  ...guides.map(([, path]) => path)]);

const browser = await launch();
for (const javaScriptEnabled of [true, false]) {
  const page = await open(browser, { javaScriptEnabled });
  for (const path of PAGES) {
    await page.goto(`${SERVER}/${path}`);
    await look(page, `/${path}`);
  }
  await page.goto(`${SERVER}/`);
  const buttons = await page.getByRole('button', { name: 'Copy' }).count();
  assert.equal(buttons > 0, javaScriptEnabled, 'code can be copied where scripts run');
  await navigate(page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' }));
  assert.equal(await page.title(), 'Documentation · Donation Catalog');
  await page.setViewportSize({ width: 1400, height: 500 });
  await page.goto(`${SERVER}/docs/changelog`);
  const isSeen = await page.locator('.sidebar [aria-current]').evaluate((link) => {
    const [side, place] = [link.closest('.side'), link].map((it) => it.getBoundingClientRect());
    return place.top >= side.top && place.bottom <= innerHeight;
  });
  assert.equal(isSeen, javaScriptEnabled, 'the link to the page is scrolled to where scripts run');
  if (!javaScriptEnabled) {
    await page.goto(`${SERVER}/docs/explorer`);
    assert.ok(await page.locator('noscript').isVisible(), 'the page says that it needs them');
    assert.ok(await page.getByText('Loading the explorer').isHidden(), 'nothing is loaded without scripts');
  }
  await page.context().close();
}
await close(browser, `${PAGES.size} pages: nothing too wide, refused, asked of others or hard to reach`);
