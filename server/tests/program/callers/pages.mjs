// Opens every public page in headless Chromium, in every layout, and with scripts off.
import assert from 'node:assert/strict';
import { SERVER, launch } from './chromium.mjs';
import { close, look, open } from './look.mjs';

const guides = [...(await (await fetch(`${SERVER}/docs/`)).text()).matchAll(/href="\.\.\/(docs\/guides\/[a-z-]+)"/g)];
const PAGES = new Set(['', 'status', 'charities/fictional-rivers-trust', 'nowhere', 'docs/', 'docs/reference',
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
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Docs' }).click();
  assert.equal(await page.title(), 'Documentation · Donation Catalog');
  await page.context().close();
}
await close(browser, `${PAGES.size} pages: nothing too wide, refused, asked of others or hard to reach`);
