// Looks at the samples that each operation's page and the explorer show.
import assert from 'node:assert/strict';
import { SERVER, launch } from './chromium.mjs';

const response = await fetch(`${SERVER}/api/v1/openapi`);
assert.equal(response.headers.get('content-encoding'), 'gzip', 'the contract is sent compressed');
const contract = await response.json();
// The name of the tab, and what no other language would have.
const LANGUAGES = [['curl', /^curl /m], ['JavaScript', /\bfetch\(/], ['Python', /\burllib\.request\b/],
  ['Rust', /\bClient::new\(/]];

const browser = await launch();
// Tabs need no script.
const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
let seen = 0;
for (const [path, item] of Object.entries(contract.paths)) {
  for (const operation of Object.values(item)) {
    await plain.goto(`${SERVER}/docs/reference/${operation.operationId}`);
    const fixed = path.split(/\{[^}]*\}/);
    for (const [language, kind] of LANGUAGES) {
      await plain.getByText(language, { exact: true }).first().click();
      const shown = plain.locator('.panel:visible');
      assert.equal(await shown.count(), 1);
      const text = await shown.innerText();
      assert.match(text, kind, operation.operationId);
      if (language !== 'Rust') assert.ok(fixed.every((step) => text.includes(step)), text);
    }
    seen += 1;
  }
}

const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
await page.goto(`${SERVER}/docs/explorer#tag/configs/POST/configs`);
const heading = page.getByRole('heading', { name: 'Create a config', exact: true });
const part = page.locator('section').filter({ has: heading }).last();
await part.locator('pre').filter({ hasText: /--header "service-api-key: \$SERVICE_API_KEY"/ }).first().waitFor();
await browser.close();
console.log(`${LANGUAGES.length} languages, ${seen} operations with samples`);
