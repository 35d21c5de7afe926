// Opens the recipe's page from another origin, as a partner would have it, and chooses a charity.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { launch } from './chromium.mjs';

const html = readFileSync('picker.html');
const site = createServer((request, response) => response.setHeader('content-type', 'text/html').end(html));
await new Promise((ready) => { site.listen(0, '127.0.0.1', ready); });

const browser = await launch();
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${site.address().port}/`);
const tenth = page.getByRole('radio').nth(9);
await tenth.waitFor();
await page.getByLabel('Look for a charity').fill('rivers');
// A choice in the first list would be lost with it.
await tenth.waitFor({ state: 'detached' });
await page.getByRole('radio', { name: /^Fictional Rivers Trust/ }).check();
await page.getByRole('button', { name: 'Choose' }).click();
await page.getByRole('status').filter({ hasText: /^Chosen: [0-9a-f-]{36}$/ }).waitFor();
await browser.close();
site.close();
console.log('a charity is chosen');
