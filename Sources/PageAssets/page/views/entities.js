// The entities of the store with their numbers of rows, and the properties of the file.

import { all } from '../api.js';
import { fill, h } from '../dom.js';
import { barCell } from '../parts/bars.js';
import { failureView } from '../parts/failure.js';
import { onceAtATime } from '../parts/live.js';
import { storeFacts } from '../parts/store-facts.js';
import { texts } from '../texts.js';

export default {
  title: () => texts.views.entities,

  async show(element, context) {
    const { address, signal } = context;
    context.command(['info']);
    const read = onceAtATime(async () => {
      try {
        const [info] = await all(['info'], { store: address.store, signal });
        fill(element, entityTable(info, context), h('h2', {}, texts.entities.store), storeFacts(info), remarks(info), metadata(info));
      } catch (error) {
        if (!signal.aborted) fill(element, failureView(error, context.again));
      }
    }, signal);
    context.onChange(read);
    await read();
  },
};

function entityTable({ entities = [] }, context) {
  const names = new Map(entities.map((one) => [one.number, one.name]));
  const most = Math.max(0, ...entities.map((one) => one.rows ?? 0));
  // The rows of an entity include the rows of its subentities.
  const whole = ({ number, rows }) => entities.filter((one) => one.parent === number && one.number !== number).reduce((sum, one) => sum + whole(one), rows ?? 0);
  const known = new Set((context.model?.entities ?? []).map((one) => one.name));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.views.entities },
    h('table', { class: 'entities' },
      h('thead', {}, h('tr', {},
        h('th', { scope: 'col' }, texts.entities.name), h('th', { scope: 'col', class: 'number' }, texts.entities.rows),
        h('th', { scope: 'col', class: 'plot' }, h('span', { class: 'visually-hidden' }, texts.entities.plot)),
        h('th', { scope: 'col' }, texts.entities.parent), h('th', { scope: 'col' }, texts.entities.table))),
      h('tbody', {}, entities.map((one) => h('tr', {},
        h('th', { scope: 'row' }, known.has(one.name) ? h('a', { href: context.href({ view: 'rows', name: one.name }) }, one.name) : one.name),
        h('td', { class: 'number' }, one.rows == null ? '' : texts.number(one.rows), whole(one) !== one.rows && h('div', { class: 'quiet' }, texts.entities.withSubentities(whole(one)))),
        h('td', { class: 'plot' }, barCell(one.rows ?? 0, { least: 0, most })),
        h('td', {}, one.parent ? names.get(one.parent) ?? String(one.parent) : ''),
        h('td', {}, h('code', { class: 'quiet' }, one.table)))))));
}

function remarks({ remarks: list = [] }) {
  return list.length > 0 && [
    h('h2', {}, texts.entities.remarks),
    h('ul', {}, list.map((one) => h('li', {}, typeof one === 'string' ? one : one.message ?? JSON.stringify(one)))),
  ];
}

function metadata({ metadata: list = [] }) {
  return list.length > 0 && [
    h('h2', {}, texts.entities.metadata),
    h('dl', { class: 'facts' }, list.map(({ key, value }) => [h('dt', {}, key), h('dd', {}, typeof value === 'string' ? value : JSON.stringify(value))])),
  ];
}
