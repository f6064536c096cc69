// The rows that a template finds.

import { all } from '../api.js';
import { fill, h } from '../dom.js';
import { objectLink, valueView } from './plain-value.js';
import { texts } from '../texts.js';

/** - words: the refinement and the variables, behind the template's name. */
export async function showRows(element, template, words, context) {
  const { address, signal } = context;
  const [head, ...rows] = await all(['page-rows', `--template=${template.name}`, '--limit=200', ...words], { store: address.store, signal });
  fill(element, h('p', { class: 'summary' }, texts.plural(rows.length, 'row')),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': template.name },
      h('table', {},
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, texts.sections.object), head.columns.map((column) => h('th', { scope: 'col' }, column.name)))),
        h('tbody', {}, rows.map((row) => h('tr', {}, h('th', { scope: 'row' }, objectLink(row.id, context)), row.cells.map((cell) => h('td', {}, valueView(cell, context)))))))));
}
