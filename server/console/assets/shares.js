// Shows the shares of a config while its weights are typed. Its button then creates the config at once; without this
// script, a page with the shares comes first.
'use strict';

const MAX_WEIGHT = 1_000_000;

const editor = document.querySelector('form.editor');
const fields = [...editor.querySelectorAll('input[name=weight]')];
const parts = [...editor.querySelectorAll('.split rect')];

/** The weight that was typed; 0 if it is none. */
const weightOf = ({ value }) => {
  const weight = /^\d+$/.test(value.trim()) ? Number(value) : 0;
  return weight <= MAX_WEIGHT ? weight : 0;
};

/** A share in percent, rounded as the server rounds it. */
const shareOf = (weight, sum) => {
  const thousandths = Math.floor((weight * 2000 + sum) / (sum * 2));
  return thousandths === 0 ? 'less than 0.1%' : `${thousandths / 10}%`;
};

const showShares = () => {
  const weights = fields.map(weightOf);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const isValid = weights.every((weight) => weight > 0);
  const labels = [];
  let x = 0;
  weights.forEach((weight, index) => {
    const row = fields[index].closest('tr');
    const share = isValid ? shareOf(weight, sum) : '–';
    row.querySelector('.share').textContent = share;
    const width = sum > 0 ? weight * 100 / sum : 0;
    const part = parts[index];
    part.setAttribute('x', `${x}%`);
    part.setAttribute('width', `${width}%`);
    x += width;
    const label = `${row.querySelector('.charity').textContent.trim()} ${share}`;
    part.querySelector('title').textContent = label;
    labels.push(label);
  });
  editor.querySelector('.split').setAttribute('aria-label', labels.join(', '));
};

const create = editor.querySelector('button[name=review]');
if (create) {
  create.removeAttribute('name');
  create.formMethod = 'post';
  create.formAction = create.dataset.create;
  create.textContent = 'Create config';
  for (const field of fields) field.addEventListener('input', showShares);
  showShares();
}
