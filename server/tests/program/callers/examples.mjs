// Looks at the examples that the reference shows: one of them in each language, then one for every
// operation. The viewer makes all of them in the same way from the contract.
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';

const { NODE_MODULES, SERVER } = process.env;
const { chromium } = createRequire(`${NODE_MODULES}/`)('playwright-core');
const contract = await (await fetch(`${SERVER}/api/v1/openapi`)).json();
// The name in the menu, and what no other language would have.
const LANGUAGES = [['Shell', 'Curl', /^curl /m], ['JavaScript', 'Fetch', /\bfetch\(/],
  ['Python', 'Requests', /\brequests\.post\(/], ['Rust', 'reqwest', /reqwest::Client::new\(\)/]];

const browser = await chromium.launch({
  executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
  // A sandbox inside a container's root account cannot be made; the pages are our own.
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });

/** The part of the reference about an operation. */
async function shown(method, path, { tags, summary }) {
  await page.goto(`${SERVER}/docs/reference#tag/${tags[0].toLowerCase()}/${method.toUpperCase()}${path}`);
  const heading = page.getByRole('heading', { name: summary, exact: true });
  const part = page.locator('section').filter({ has: heading }).last();
  await part.getByText('Request Example').first().waitFor({ timeout: 60_000 });
  return part;
}

/** Waits until the part shows an example of a kind, and gives the example. */
async function example(part, kind, about) {
  const found = part.locator('pre').filter({ hasText: kind }).first();
  await found.waitFor({ timeout: 20_000 }).catch(() => assert.fail(`${about} has no example like ${kind}`));
  return found.innerText();
}

const create = await shown('post', '/configs', contract.paths['/configs'].post);
let now = LANGUAGES[0][0];
for (const [language, library, kind] of LANGUAGES) {
  await create.getByRole('button', { name: new RegExp(`^${now} `) }).click();
  await page.keyboard.type(language);
  await page.getByRole('option', { name: library, exact: true }).first().click();
  const text = await example(create, kind, language);
  for (const part of ['/api/v1/configs', 'service-api-key', 'charityBeneficiaries']) {
    assert.ok(text.includes(part), `the example in ${language} lacks ${part}`);
  }
  now = language;
}

let seen = 0;
for (const [path, item] of Object.entries(contract.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    const part = await shown(method, path, operation);
    const text = await example(part, LANGUAGES.at(-1)[2], operation.operationId);
    const fixed = path.split(/\{[^}]*\}/);
    assert.ok(fixed.every((step) => text.includes(step)), `${operation.operationId}: ${text}`);
    seen += 1;
  }
}
await browser.close();
console.log(`${LANGUAGES.length} languages, ${seen} operations with examples`);
