// Starts the viewer with the contract of this server. It sends requests to this server alone, and keeps what is typed
// in this tab.
'use strict';

const place = document.querySelector('#explorer');
// The viewer brings a <main> of its own.
const frame = document.createElement('div');
frame.id = 'content';
frame.tabIndex = -1;
document.querySelector('#content').replaceWith(frame);
frame.append(place);
const darkness = matchMedia('(prefers-color-scheme: dark)');

// Disables the examples of optional parameters: they are shown, and sent only when somebody enables them. Sent
// together, they would match nothing.
const withholdExamples = (contract) => {
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  const bodies = operations.flatMap((operation) => Object.values(operation.requestBody?.content ?? {}));
  const choices = ['default', ...bodies.flatMap((media) => Object.keys(media.examples ?? {}))];
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  for (const parameter of [...parameters, ...Object.values(contract.components.parameters)]) {
    if (parameter.required || !parameter.examples) continue;
    const [{ value }] = Object.values(parameter.examples);
    for (const choice of choices) parameter.examples[choice] = { value };
    for (const example of Object.values(parameter.examples)) example['x-disabled'] = true;
  }
  return contract;
};

const start = async () => {
  const response = await fetch(place.dataset.contract);
  const contract = withholdExamples(await response.json());
  // The contract names the server's public address. The policy of this page allows its own origin alone.
  contract.servers = [{ url: response.url.replace(/\/openapi$/, '') }];
  place.replaceChildren();
  Scalar.createApiReference(place, {
    content: contract,
    agent: { disabled: true },
    mcp: { disabled: true },
    defaultOpenFirstTag: true,
    documentDownloadType: 'none',
    forceDarkModeState: darkness.matches ? 'dark' : 'light',
    hiddenClients: true,
    hideClientButton: true,
    hideDarkModeToggle: true,
    hideSearch: true,
    persistAuth: false,
    showDeveloperTools: 'never',
    showSidebar: false,
    telemetry: false,
    withDefaultFonts: false,
  });
};
start();
// The viewer keeps the colours that it starts with.
darkness.addEventListener('change', () => location.reload());

// Corrects controls of the viewer for screen readers and the keyboard: names that are missing or differ
// from what is shown, roles that are wrong or missing, and parts that the keyboard cannot reach.
let notifications = 0;
const correctControls = () => {
  for (const button of document.querySelectorAll('.scalar-code-copy:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  for (const link of document.querySelectorAll('a[href]:not([aria-label])')) {
    if (link.textContent.trim() === '') link.setAttribute('aria-label', link.href);
  }
  for (const button of document.querySelectorAll('.show-more[aria-label]')) {
    button.removeAttribute('aria-label');
  }
  // The viewer shows a made-up key where there is none.
  for (const field of document.querySelectorAll('[data-placeholder^=QUxM]')) field.dataset.placeholder = 'Your key';
  for (const field of document.querySelectorAll('[placeholder^=QUxM]')) field.placeholder = 'Your key';
  for (const field of document.querySelectorAll('.code-input-lite__editor:not([aria-label])')) {
    field.setAttribute('aria-label', field.dataset.placeholder ?? 'Value');
    field.setAttribute('role', 'textbox');
  }
  for (const field of document.querySelectorAll('[role=combobox]:not([aria-expanded])')) {
    field.setAttribute('aria-expanded', 'false');
  }
  for (const button of document.querySelectorAll('button[role=none]')) button.removeAttribute('role');
  for (const text of document.querySelectorAll('.cm-content:not([aria-label])')) {
    text.setAttribute('aria-label', 'Text');
  }
  for (const scroller of document.querySelectorAll('.cm-scroller[tabindex="-1"], .endpoints:not([tabindex])')) {
    scroller.tabIndex = 0;
  }
  for (const link of document.querySelectorAll('a[href^="mailto:"]:not([title])')) {
    link.title = link.href.slice('mailto:'.length);
  }
  for (const header of place.querySelectorAll('header:not([role])')) header.setAttribute('role', 'none');
  for (const card of document.querySelectorAll('.response-card[role=region]')) card.setAttribute('role', 'group');
  for (const list of document.querySelectorAll('section[aria-label^="Notifications alt"]')) {
    notifications += 1;
    list.setAttribute('aria-label', `Notifications ${notifications}`);
  }
  // The page behind a dialog is inert.
  const behind = document.querySelector('.references-rendered');
  const dialog = document.querySelector('[role=dialog]');
  const isBehind = dialog?.checkVisibility() ?? false;
  if (behind && behind.inert !== isBehind) behind.inert = isBehind;
  for (const button of document.querySelectorAll('button[aria-controls]:not([aria-expanded])')) {
    if (!document.getElementById(button.getAttribute('aria-controls'))) button.removeAttribute('aria-controls');
  }
};
new MutationObserver(correctControls).observe(document.body, {
  attributeFilter: ['class', 'style'],
  childList: true,
  subtree: true,
});
