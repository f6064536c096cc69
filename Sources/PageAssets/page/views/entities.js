// The entities of the store with their rows, and what the file is like.

import { all } from '../api.js';
import { fill, h } from '../dom.js';
import { barCell } from '../parts/bars.js';
import { failureView } from '../parts/failure.js';
import { texts } from '../texts.js';

export default {
  title: () => texts.views.entities,

  async show(element, context) {
    const { address, signal } = context;
    context.command(['info']);
    const read = async () => {
      try {
        const [info] = await all(['info'], { store: address.store, signal });
        fill(element, entityTable(info, context), storeFacts(info), remarks(info), metadata(info));
      } catch (error) {
        if (!signal.aborted) fill(element, failureView(error, context.again));
      }
    };
    await read();
    context.onChange(read);
  },
};

function entityTable({ entities = [] }, context) {
  const names = new Map(entities.map((one) => [one.number, one.name]));
  const most = Math.max(0, ...entities.map((one) => one.rows ?? 0));
  const known = new Set((context.model?.entities ?? []).map((one) => one.name));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.views.entities },
    h('table', { class: 'entities' },
      h('thead', {}, h('tr', {},
        h('th', { scope: 'col' }, texts.entities.name), h('th', { scope: 'col', class: 'number' }, texts.entities.rows),
        h('th', { scope: 'col', class: 'plot' }, h('span', { class: 'visually-hidden' }, texts.entities.plot)),
        h('th', { scope: 'col' }, texts.entities.parent), h('th', { scope: 'col' }, texts.entities.table))),
      h('tbody', {}, entities.map((one) => h('tr', {},
        h('th', { scope: 'row' }, known.has(one.name) ? h('a', { href: context.href({ view: 'rows', name: one.name }) }, one.name) : one.name),
        h('td', { class: 'number' }, one.rows == null ? '' : texts.number(one.rows)),
        h('td', { class: 'plot' }, barCell(one.rows ?? 0, { least: 0, most })),
        h('td', {}, one.parent ? names.get(one.parent) ?? String(one.parent) : ''),
        h('td', {}, h('code', { class: 'quiet' }, one.table)))))));
}

const shown = ['store', 'uuid', 'model', 'version', 'writtenBy', 'closestVersion', 'advice', 'configuration', 'journal', 'bytes', 'walBytes', 'pageSize', 'pages', 'freePages', 'rows', 'indexes', 'triggers', 'historyTransactions', 'historyChanges', 'externalFolder', 'frameworkVersion'];
const sizes = new Set(['bytes', 'walBytes', 'pageSize']);

function storeFacts(info) {
  const facts = shown.filter((name) => info[name] != null && info[name] !== '');
  return [
    h('h2', {}, texts.entities.store),
    h('dl', { class: 'facts' }, facts.map((name) => [
      h('dt', {}, texts.entities.fact(name)),
      h('dd', {}, factText(name, info[name])),
    ])),
  ];
}

function factText(name, value) {
  if (sizes.has(name)) return texts.bytes(value);
  return typeof value === 'number' && name !== 'frameworkVersion' ? texts.number(value) : String(value);
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
