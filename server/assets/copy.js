// Adds a button to each block of code that copies its text. Without this script, the text is selected by hand.
'use strict';

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  const said = document.createElement('span');
  said.className = 'unseen';
  said.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent.trimEnd());
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(block);
      button.textContent = 'Selected';
    }
    said.textContent = button.textContent;
    setTimeout(() => { button.textContent = 'Copy'; said.textContent = ''; }, 2000);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, button, said);
}
