// Reads the committed contract in Swagger UI, and prints what it shows a reader: for each operation whether it
// has a lock, and the statuses of one that is opened.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { NODE_MODULES, launch } from './chromium.mjs';

const require = createRequire(`${NODE_MODULES}/`);
const asset = (name) => readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8');
const SITE = 'http://contract.example';
const files = {
  '/': ['text/html', '<div id="ui"></div>'],
  '/openapi.yaml': ['application/yaml', readFileSync(process.env.CONTRACT, 'utf8')],
};

const browser = await launch();
const page = await browser.newPage();
const errors = [];
page.on('pageerror', (error) => errors.push(error.message));
await page.route('**/*', (route) => {
  const file = files[new URL(route.request().url()).pathname];
  return file ? route.fulfill({ contentType: file[0], body: file[1] }) : route.fulfill({ status: 404 });
});
await page.goto(`${SITE}/`);
await page.addStyleTag({ content: asset('swagger-ui.css') });
await page.addScriptTag({ content: asset('swagger-ui-bundle.js') });
await page.evaluate((url) => window.SwaggerUIBundle({ url, dom_id: '#ui', validatorUrl: null }), `${SITE}/openapi.yaml`);
await page.locator('.opblock').first().waitFor();

const operations = page.locator('.opblock-tag-section .opblock:not(#webhooks .opblock)');
const shown = await operations.evaluateAll((all) => all.map((it) => ({
  method: it.querySelector('.opblock-summary-method').textContent,
  path: it.querySelector('.opblock-summary-path').textContent.replaceAll('\u200b', ''),
  locked: it.querySelector('.authorization__btn') !== null,
})));
const open = page.locator('.opblock', { hasText: 'tokens/leaderboard' }).first();
await open.locator('.opblock-summary-control').click();
await open.locator('.responses-table').first().waitFor();
const statuses = await open.locator('.responses-table tr.response').evaluateAll(
  (rows) => rows.map((row) => row.dataset.code));
assert.equal(await page.locator('.errors-wrapper').count(), 0);
assert.deepEqual(errors, []);
console.log(JSON.stringify({ shown, statuses }));
await browser.close();
