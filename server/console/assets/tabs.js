// Shows the same language in all tabs, and remembers it. Without this script, each group of tabs starts with its first.
'use strict';

const KEY = 'language';
const inputs = [...document.querySelectorAll('.languages > input')];
const labelOf = (input) => input.nextElementSibling.textContent;

const choose = (language) => {
  for (const input of inputs) if (labelOf(input) === language) input.checked = true;
};

for (const input of inputs) {
  input.addEventListener('change', () => {
    // The tabs above may change their height: the one that was chosen stays where it is.
    const before = input.getBoundingClientRect().top;
    choose(labelOf(input));
    scrollBy(0, input.getBoundingClientRect().top - before);
    try {
      localStorage.setItem(KEY, labelOf(input));
    } catch {
      // Storage may be disabled.
    }
  });
}

try {
  choose(localStorage.getItem(KEY));
} catch {
  // Storage may be disabled.
}
