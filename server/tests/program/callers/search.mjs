// Searches the documentation: with a form where scripts are off, and while typing where they are on.
import assert from 'node:assert/strict';
import { SERVER, launch, navigate, picture } from './chromium.mjs';

const browser = await launch();
for (const javaScriptEnabled of [true, false]) {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(`${SERVER}/docs/guides/paging`);
  const field = page.getByRole('searchbox', { name: 'Search the documentation' });
  await field.fill('create config');
  if (javaScriptEnabled) {
    const live = page.getByRole('status').getByRole('link', { name: 'Create a config Operation', exact: true });
    await live.waitFor();
    await picture(page, 'search-live');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/configs.create');
    await page.goBack();
    await page.getByRole('main').click();
    await page.keyboard.press('Control+k');
    await page.waitForFunction(() => document.activeElement.id === 'site-search');
    await field.fill('create config');
  }
  await field.press('Enter');
  await page.waitForURL('**/docs/search?q=create+config');
  await picture(page, 'search');
  await navigate(page.getByRole('main').getByRole('link', { name: 'Create a config', exact: true }));
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Create a config');
  for (const [words, kind] of [['RATE_LIMIT_EXCEEDED', 'Error code'], ['NewConfig', 'Schema'],
    ['sliding window', 'Guide'], ['leaderboard', 'Operation']]) {
    await page.goto(`${SERVER}/docs/search?q=${encodeURIComponent(words)}`);
    const kinds = await page.locator('.results .badge').allInnerTexts();
    assert.ok(kinds.includes(kind), `${words} finds ${kinds}`);
    await navigate(page.locator('.results a').first());
    const place = new URL(page.url()).hash.slice(1);
    if (place) assert.ok(await page.locator(`[id="${place}"]`).isVisible(), page.url());
  }
  await page.goto(`${SERVER}/docs/search?q=${encodeURIComponent('<script>alert(1)</script>')}`);
  assert.match(await page.getByRole('main').innerText(), /“<script>alert\(1\)<\/script>”/);
  await page.goto(`${SERVER}/docs/search?q=xyzzy`);
  assert.match(await page.getByRole('main').innerText(), /No results for “xyzzy”/);
  await context.close();
}
await browser.close();
console.log('search works with a script and without');
