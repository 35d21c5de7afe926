// Takes, into the folder that it is run in, the README's pictures of a demo: the front page, and the overview of a project.
import { SERVER, launch, navigate, screenshot } from './chromium.mjs';
import { close, open } from './look.mjs';

/** The demo's project with the most donations. */
const PROJECT = 'd3000000-0000-4000-8000-000000000003';

const browser = await launch();
const page = await open(browser, { viewport: { width: 1200, height: 750 }, colorScheme: 'light' });
const picture = (name) => screenshot(page, `${name}.png`);
const press = (name) => navigate(page.getByRole('button', { name }));

await page.goto(`${SERVER}/`);
await picture('front-page');
await page.goto(`${SERVER}/dashboard/sign-in`);
await press('Continue as the demo’s developer');
await page.goto(`${SERVER}/dashboard/projects/${PROJECT}`);
await picture('project');
await close(browser, 'two pictures');
