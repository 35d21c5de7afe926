// Takes, into the folder that it is run in, the README's pictures of a demo: the front page, and a project with its keys.
import { SERVER, launch, navigate, screenshot } from './chromium.mjs';
import { close, open } from './look.mjs';

const browser = await launch();
const page = await open(browser, { viewport: { width: 1200, height: 750 }, colorScheme: 'light' });
const picture = (name) => screenshot(page, `${name}.png`);
const press = (name) => navigate(page.getByRole('button', { name }));

await page.goto(`${SERVER}/`);
await picture('front-page');
await page.goto(`${SERVER}/dashboard/sign-in`);
await press('Continue as the demo’s developer');
await page.getByLabel('Name').fill('Wallet of a donor');
await press('Create project');
await navigate(page.getByRole('link', { name: 'I’ve saved my key' }));
const project = page.url();
for (const [label, expiry] of [['production', 'in 90 days'], ['continuous integration', 'in 30 days']]) {
  await page.goto(`${project}/keys/new`);
  await page.getByLabel('Label').fill(label);
  await page.getByLabel(expiry).check();
  await press('Issue key');
}
await page.goto(project);
await navigate(page.getByRole('link', { name: 'Revoke first key' }));
await press('Revoke key');
await page.goto(project);
await picture('project');
await close(browser, 'two pictures');
