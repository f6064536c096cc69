// Groups of equal values with their counts, sums and averages, as a table with a bar in each line.

import { write } from '../address.js';
import { all } from '../api.js';
import { fill, h } from '../dom.js';
import { barCell, scaleOf } from '../parts/bars.js';
import { entityNamed, entitySelect, isData, isNumeric, keyPathSelect, keyPaths } from '../parts/key-paths.js';
import { literal } from '../parts/literal.js';
import { keepingFocus, onceAtATime } from '../parts/live.js';
import { predicateField } from '../parts/predicate-field.js';
import { valueView } from '../parts/plain-value.js';
import { texts } from '../texts.js';

const mostGroups = 500;
const functions = ['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev'];

export default {
  title: (address) => (address.name ? texts.groups.titleOf(address.name) : texts.groups.title),

  async show(element, context) {
    const { address, model, go } = context;
    const entity = address.name || model?.entities[0]?.name;
    if (address.name && !entityNamed(model, address.name)) throw new Error(texts.rows.noEntity(address.name));
    if (!entity) return element.append(h('p', { class: 'empty' }, texts.page.noModel));
    const asked = readRequest(address.values);
    const words = (where) => requestWords(entity, { ...asked, where });
    const change = (values) => go({
      view: 'groups', name: values.entity ?? entity, values: values.entity ? {} : addressValues({ ...asked, ...values }),
    });
    context.command(words(asked.where));

    const result = h('div', { class: 'result' });
    const where = predicateField({
      entity, value: asked.where, context, label: texts.groups.where, words, onSubmit: (text) => change({ where: text }),
    });
    element.append(chooser(entity, asked, model, change), where, result);

    const show = onceAtATime(async () => {
      try {
        const notes = [];
        const rows = await all(words(asked.where), { store: address.store, signal: context.signal, onNote: (note) => notes.push(note) });
        keepingFocus(result, () => fill(result, groupTable(rows, entity, asked, context),
          notes.filter((note) => note.code !== 'summary').map((note) => h('p', { class: 'quiet' }, note.message))));
      } catch (error) {
        if (context.signal.aborted) return;
        fill(result, where.markOwn(error));
      }
    }, context.signal);
    context.onChange(show);
    return show();
  },
};

/** The request in the address. By default, it counts all rows. */
function readRequest(values) {
  const list = (name) => values.getAll(name).filter(Boolean);
  return {
    by: list('by'),
    select: list('select').length ? list('select') : ['count(*)'],
    having: values.get('having') ?? '',
    where: values.get('where') ?? '',
    sort: values.get('sort') ?? '',
  };
}

function addressValues({ by, select, having, where, sort }) {
  return new URLSearchParams([
    ...by.filter(Boolean).map((one) => ['by', one]), ...select.map((one) => ['select', one]),
    ['having', having], ['where', where], ['sort', sort],
  ]);
}

function requestWords(entity, { by, select, having, where, sort }) {
  return [
    'fetch', entity, ...(by.length ? [`--group-by=${by.join(',')}`] : []), `--select=${[...by, ...select].join(',')}`,
    ...(where ? [`--where=${where}`] : []), ...(having && by.length ? [`--having=${having}`] : []),
    ...(sort ? [`--sort=${sort}`] : []), ...(by.length ? [`--limit=${mostGroups}`] : []),
  ];
}

// MARK: Choosing

function chooser(entity, asked, model, change) {
  const groups = keyPaths(model, entity);
  const without = (list, index) => list.filter((_, position) => position !== index);
  const replaced = (list, index, value) => list.map((one, position) => (position === index ? value : one));
  const remove = (label, action) => h('button', { type: 'button', class: 'small', 'aria-label': label, title: label, onclick: action }, '×');

  const entities = entitySelect(model, entity, { onchange: (event) => change({ entity: event.target.value }) });
  const by = asked.by.map((path, index) => h('span', { class: 'chip' },
    keyPathSelect(groups, path, { 'aria-label': texts.groups.byNumber(index + 1), onchange: (event) => change({ by: replaced(asked.by, index, event.target.value), sort: '' }) }),
    remove(texts.groups.removeBy(path), () => change({ by: without(asked.by, index), sort: '' }))));
  const more = keyPathSelect(groups, '', {
    none: asked.by.length ? texts.groups.andBy : texts.groups.noBy, 'aria-label': texts.groups.byNumber(asked.by.length + 1),
    onchange: (event) => change({ by: [...asked.by, event.target.value], sort: '' }),
  });
  const aggregates = asked.select.map((text, index) => h('span', { class: 'chip' },
    aggregateChoice(text, groups, texts.groups.valueNumber(index + 1), (value) => change({ select: replaced(asked.select, index, value), sort: '' })),
    asked.select.length > 1 && remove(texts.groups.removeValue(text), () => change({ select: without(asked.select, index), sort: '' }))));
  const add = h('button', { type: 'button', class: 'small', onclick: () => change({ select: [...asked.select, nextAggregate(asked.select, groups)] }) }, texts.groups.addValue);

  return h('div', { class: 'choosers' },
    h('label', {}, texts.groups.entity, ' ', entities),
    h('span', { class: 'chooser', role: 'group', 'aria-label': texts.groups.by }, h('span', {}, texts.groups.by), by, more),
    h('span', { class: 'chooser', role: 'group', 'aria-label': texts.groups.values }, h('span', {}, texts.groups.values), aggregates, add),
    h('form', { class: 'chooser', onsubmit: (event) => { event.preventDefault(); change({ having: event.target.elements.having.value.trim() }); } },
      h('label', {}, texts.groups.having, ' ', h('input', {
        type: 'text', name: 'having', value: asked.having, placeholder: texts.groups.havingHint, disabled: !asked.by.length, autocomplete: 'off', spellcheck: 'false',
      }))));
}

/** A choice of a function and its argument, such as sum(price). Other expressions in the address are kept. */
function aggregateChoice(text, groups, label, onChange) {
  const [, name, path] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
  if (!functions.includes(name)) return h('code', {}, text);
  const tell = () => onChange(kind.value === 'count' ? `count(${of.value || '*'})` : `${kind.value}(${of.value || pathFor(kind.value, groups)})`);
  const possible = functions.filter((one) => one === 'count' || one === name || pathFor(one, groups));
  const kind = h('select', { 'aria-label': label, onchange: tell }, possible.map((one) => h('option', { value: one }, one)));
  kind.value = name;
  const of = keyPathSelect(groups, path === '*' ? '' : path, {
    'aria-label': texts.groups.of(label), onchange: tell, none: name === 'count' ? texts.groups.rows : null,
    filter: (one) => takes(name, one),
  });
  return [kind, of];
}

/** Whether a function accepts values of a type. */
function takes(name, { type }) {
  return ['sum', 'avg', 'median', 'stddev'].includes(name) ? isNumeric(type) : !isData(type);
}

/** A key path that the function accepts, preferably of a number, or undefined if there is none. */
function pathFor(name, groups) {
  const paths = groups.flatMap((group) => group.paths).filter((one) => takes(name, one));
  return (paths.find((one) => isNumeric(one.type)) ?? paths[0])?.path;
}

function nextAggregate(chosen, groups) {
  const possible = ['sum', 'avg', 'max', 'min'].filter((name) => pathFor(name, groups)).map((name) => `${name}(${pathFor(name, groups)})`);
  return ['count(*)', ...possible].find((text) => !chosen.includes(text)) ?? 'count(*)';
}

// MARK: Showing

function groupTable(rows, entity, asked, context) {
  if (!rows.length) return h('p', { class: 'empty' }, texts.groups.none);
  const { by, select } = asked;
  const scales = new Map(select.map((key) => [key, scaleOf(rows.map((row) => row[key]))]));
  const types = new Map(keyPaths(context.model, entity).flatMap((group) => group.paths).map((one) => [one.path, one]));
  return [
    h('p', { class: 'summary', role: 'status' }, rows.length === mostGroups ? texts.groups.most(mostGroups) : texts.groups.count(rows.length)),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.groups.title },
      h('table', { class: 'groups' },
        h('thead', {}, h('tr', {}, by.map((key) => heading(key, asked, context, entity)), select.map((key) => heading(key, asked, context, entity, true)),
          by.length > 0 && h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, texts.groups.actions)))),
        h('tbody', {}, rows.map((row) => h('tr', {},
          by.map((key) => h('th', { scope: 'row' }, valueView(row[key], context))),
          select.map((key) => h('td', { class: 'number' }, h('span', { class: 'figure' }, valueView(row[key], context)), rows.length > 1 && barCell(row[key], scales.get(key)))),
          by.length > 0 && h('td', {}, h('a', { href: rowsAddress(row, entity, asked, types, context) }, texts.groups.show))))))),
  ];
}

/** A heading that sorts by its column. The first click sorts numbers in descending order, and other values in ascending order. */
function heading(key, asked, { go }, entity, isNumber = false) {
  const isUp = asked.sort === key;
  const isDown = asked.sort === `-${key}`;
  const next = isNumber ? (isDown ? key : `-${key}`) : isUp ? `-${key}` : key;
  const sort = () => go({ view: 'groups', name: entity, values: addressValues({ ...asked, sort: next }) });
  return h('th', { scope: 'col', class: isNumber ? 'number' : '', 'aria-sort': isUp ? 'ascending' : isDown ? 'descending' : 'none' },
    h('button', { type: 'button', class: 'sort', onclick: sort }, key, h('span', { 'aria-hidden': 'true' }, isUp ? ' ↑' : isDown ? ' ↓' : '')));
}

function rowsAddress(row, entity, { by, where }, types, { address }) {
  const conditions = by.map((key) => `${key} == ${literal(row[key], types.get(key))}`);
  return write({ store: address.store, view: 'rows', name: entity, values: { where: [...(where ? [`(${where})`] : []), ...conditions].join(' AND ') } });
}
