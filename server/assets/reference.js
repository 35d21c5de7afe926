// Starts the viewer on the contract that this server keeps, and lets it talk to nobody else.
'use strict';

Scalar.createApiReference('#reference', {
  url: document.querySelector('#reference').dataset.contract,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: 'serviceApiKey' },
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

// Corrects controls of the viewer for screen readers and the keyboard: names that are missing or differ
// from what is shown, roles that are wrong or missing, and parts that the keyboard cannot reach.
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
  for (const scroller of document.querySelectorAll('.cm-scroller[tabindex="-1"]')) scroller.tabIndex = 0;
  for (const button of document.querySelectorAll('button[aria-controls]:not([aria-expanded])')) {
    if (!document.getElementById(button.getAttribute('aria-controls'))) button.removeAttribute('aria-controls');
  }
};
new MutationObserver(correctControls).observe(document.body, { childList: true, subtree: true });
