// A choice of the columns of a table: attributes, to-one relationships, and key paths through them.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { columnsOf, keyPaths } from './key-paths.js';

/** `chosen` is a list of key paths such as 'name,list.title', or '' for all columns. onChange is called with such a list. */
export function columnChooser({ entity, model, chosen, onChange }) {
  const own = columnsOf(entity).map((one) => one.path);
  const shown = new Set(chosen ? chosen.split(',') : own);
  const groups = keyPaths(model, entity.name);
  const boxes = [];
  const box = (path) => {
    const input = h('input', { type: 'checkbox', value: path, checked: shown.has(path) });
    boxes.push(input);
    return h('label', {}, input, ' ', path);
  };
  const list = h('div', { class: 'column-list' },
    groups.map((group) => h('fieldset', {}, h('legend', {}, group.title), group.paths.map(({ path }) => box(path)))),
    h('div', { class: 'buttons' },
      h('button', { type: 'button', class: 'primary', onclick: apply }, texts.columns.apply),
      h('button', { type: 'button', onclick: () => onChange('') }, texts.columns.all)));
  const details = h('details', { class: 'chooser-menu', onkeydown: (event) => { if (event.key === 'Escape') close(); } },
    h('summary', {}, chosen ? texts.columns.some(shown.size) : texts.columns.title), list);

  function close() {
    details.open = false;
    details.querySelector('summary').focus();
  }

  function apply() {
    const paths = boxes.filter((input) => input.checked).map((input) => input.value);
    const isAll = paths.length === own.length && own.every((name) => paths.includes(name));
    onChange(isAll || !paths.length ? '' : paths.join(','));
  }

  return details;
}
