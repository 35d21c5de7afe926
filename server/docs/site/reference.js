// Starts the viewer on the contract that this server keeps, and lets it talk to nobody else.
'use strict';

Scalar.createApiReference('#reference', {
  url: document.querySelector('#reference').dataset.contract,
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenFirstTag: true,
  documentDownloadType: 'direct',
  hideClientButton: true,
  persistAuth: false,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
});

// Some controls of the viewer have an icon and no name, and some a name that is not what they show.
// A name from what is around them serves people who hear the page.
const named = (root) => {
  for (const button of root.querySelectorAll('button:not([aria-label])')) {
    if (button.textContent.trim() === '') button.setAttribute('aria-label', 'Copy');
  }
  for (const link of root.querySelectorAll('a[href]:not([aria-label])')) {
    if (link.textContent.trim() === '') link.setAttribute('aria-label', link.href);
  }
  for (const button of root.querySelectorAll('button.show-more[aria-label]')) {
    button.removeAttribute('aria-label');
  }
};
new MutationObserver(() => named(document)).observe(document.body, { childList: true, subtree: true });
