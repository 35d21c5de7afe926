// Opens the recipe's page from another origin, as a partner would have it, and chooses a charity.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { launch } from './chromium.mjs';

const html = readFileSync('picker.html');
const site = createServer((request, response) => response.setHeader('content-type', 'text/html').end(html));
await new Promise((ready) => { site.listen(0, '127.0.0.1', ready); });

const browser = await launch();
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${site.address().port}/`);
await page.getByRole('radio').nth(9).waitFor();
await page.getByLabel('Look for a charity').fill('rivers');
const rivers = page.getByRole('radio', { name: /^Fictional Rivers Trust/ });
await rivers.waitFor();
await rivers.check();
await page.getByRole('button', { name: 'Choose' }).click();
assert.match(await page.getByRole('status').innerText(), /^Chosen: [0-9a-f-]{36}$/);
await browser.close();
site.close();
console.log('a charity is chosen');
