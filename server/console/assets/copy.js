// Adds a button that copies its text to each block of code, and to each id with `data-copy`, which names the button for
// screen readers. Without this script, people select the text.
'use strict';

function copyButton(source, text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  // Screen readers announce what the button says.
  const status = document.createElement('span');
  status.className = 'visually-hidden';
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    status.textContent = button.textContent;
    setTimeout(() => { button.textContent = 'Copy'; status.textContent = ''; }, 2000);
  });
  return [button, status];
}

for (const block of document.querySelectorAll('pre')) {
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, ...copyButton(block, () => block.querySelector('code').textContent.trimEnd()));
}
for (const id of document.querySelectorAll('[data-copy]')) {
  const [button, status] = copyButton(id, () => id.textContent);
  button.setAttribute('aria-label', id.dataset.copy);
  id.after(' ', button, status);
}
