// The persistent history as a timeline of transactions, the latest first.

import { write } from '../address.js';
import { Failure } from '../api.js';
import { fill, h } from '../dom.js';
import { failureView } from '../parts/failure.js';
import { changeCounts, historyStrip } from '../parts/history-strip.js';
import { changesOf, page, statistics, tokenOf } from '../parts/history-pages.js';
import { entityNamed, entitySelect } from '../parts/key-paths.js';
import { keepingFocus, onceAtATime } from '../parts/live.js';
import { objectLink, valueView } from '../parts/plain-value.js';
import { texts } from '../texts.js';

const names = ['entity', 'object', 'author', 'change', 'property'];
const mostChanges = 200;

export default {
  title: () => texts.history.title,

  async show(element, context) {
    const { address, signal } = context;
    const asked = Object.fromEntries([...names, 'since', 'to'].map((name) => [name, address.values.get(name) ?? '']));
    const filters = names.filter((name) => asked[name]).map((name) => `--${name}=${asked[name]}`);
    context.command(['history', ...(asked.since ? [`--since=${asked.since}`] : []), ...filters]);
    const options = { store: address.store, signal };

    let facts;
    try {
      facts = await statistics(options);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      const [{ code, help }] = error.diagnostics;
      fill(element, code === 'store.no-history' ? h('p', { class: 'empty' }, texts.history.absent, h('br'), help.join(' ')) : failureView(error, context.again));
      return;
    }
    const summary = h('p', { class: 'summary' });
    const list = h('div', { class: 'timeline' });
    const foot = h('div', { class: 'pager' });
    const strip = h('div', { class: 'strip' });
    element.append(filterForm(asked, facts, context), summary, strip, list, foot);

    // An open transaction remains open when another one is added.
    const views = new Map();
    const viewOf = (one) => {
      if (!views.has(one.transaction)) views.set(one.transaction, transactionView(one, filters, context));
      return views.get(one.transaction);
    };
    const show = async () => {
      facts = await statistics(options);
      summary.textContent = texts.history.summary(facts.transactions, facts.changes);
      const since = await tokenOf(asked.since, options);
      const isSince = since !== null;
      const upTo = Math.min(Number.parseInt(asked.to, 10) || Infinity, facts.lastTransaction ?? 0);
      const { transactions, next } = isSince
        ? await page({ upTo, since, filters, options, onWindow: (from, to) => foot.replaceChildren(texts.history.looking(from, to)) })
        : { transactions: [], next: null };
      fill(strip, historyStrip(transactions));
      for (const token of views.keys()) if (!transactions.some((one) => one.transaction === token)) views.delete(token);
      keepingFocus(list, () => fill(list, transactions.length ? byDay(transactions, viewOf) : h('p', { class: 'empty' }, texts.history.none)));
      fill(foot, pager(asked, next, context));
    };
    const showing = onceAtATime(() => show().catch((error) => {
      if (signal.aborted) return;
      fill(list, failureView(error, context.again));
      foot.replaceChildren();
    }), signal);
    // Only the newest page is updated after changes.
    if (!asked.to) context.onChange(showing);
    await showing();
  },
};

function goTo(values, { go }) {
  go({ view: 'history', values });
}

function filterForm(asked, facts, context) {
  const { model } = context;
  const entity = entitySelect(model, '', { name: 'entity' });
  entity.prepend(h('option', { value: '' }, texts.history.any));
  for (const { entity: name } of facts.entities ?? []) {
    if (!entityNamed(model, name)) entity.append(h('option', { value: name }, name));
  }
  entity.value = asked.entity;
  const kind = h('select', { name: 'change' }, ['', 'insert', 'update', 'delete'].map((one) => h('option', { value: one }, one ? texts.history.kinds[one] : texts.history.any)));
  kind.value = asked.change;
  const properties = (entityNamed(model, asked.entity) ? [entityNamed(model, asked.entity)] : model?.entities ?? [])
    .flatMap((one) => [...one.attributes, ...one.relationships].map((property) => property.name));
  const text = (name, hint, list) => h('input', { type: 'text', name, value: asked[name], placeholder: hint, list, autocomplete: 'off', spellcheck: 'false' });
  const field = (label, input) => h('label', {}, label, ' ', input);

  const submit = (event) => {
    event?.preventDefault();
    goTo(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()])), context);
  };
  const form = h('form', { class: 'filters', onsubmit: submit, onchange: (event) => { if (event.target.matches('select')) submit(); } },
    field(texts.history.entity, entity), field(texts.history.change, kind),
    field(texts.history.property, text('property', '', 'history-properties')), field(texts.history.author, text('author', '')),
    field(texts.history.object, text('object', 'Item/p12')), field(texts.history.since, text('since', texts.history.sinceHint)),
    h('datalist', { id: 'history-properties' }, [...new Set(properties)].sort().map((name) => h('option', { value: name }))),
    h('button', { type: 'submit' }, texts.history.apply),
    Object.values(asked).some(Boolean) && h('button', { type: 'button', onclick: () => goTo({}, context) }, texts.history.clear));
  return form;
}

function byDay(transactions, viewOf) {
  const days = new Map();
  for (const one of transactions) {
    const day = one.date.slice(0, 10);
    if (!days.has(day)) days.set(day, []);
    days.get(day).push(one);
  }
  return [...days].map(([day, list]) => h('section', {},
    h('h2', {}, h('time', { datetime: day }, day)),
    h('ol', {}, list.map((one) => h('li', {}, viewOf(one))))));
}

/** A transaction. Its changes are requested when it is opened. */
function transactionView(transaction, filters, context) {
  const body = h('div', { class: 'changes' });
  const { date, author, context: name, process, bundle, transaction: token } = transaction;
  const open = async () => {
    if (!details.open || body.childElementCount) return;
    body.setAttribute('aria-busy', 'true');
    try {
      const { changes, isWhole } = await changesOf(token, { filters, most: mostChanges, options: { store: context.address.store, signal: context.signal } });
      fill(body, changeTable(changes, context), !isWhole && h('p', { class: 'quiet' }, texts.history.more(mostChanges)));
    } catch (error) {
      if (context.signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      fill(body, failureView(error));
    } finally {
      body.removeAttribute('aria-busy');
    }
  };
  const details = h('details', { class: 'transaction', ontoggle: open },
    h('summary', {},
      h('span', { class: 'token' }, token),
      h('time', { datetime: date, title: date, class: 'clock' }, date.slice(11).replace(/(\.\d+)?Z$/, '')),
      h('span', { class: 'author' }, author ?? texts.history.noAuthor),
      h('span', { class: 'quiet' }, [name, process ?? bundle].filter(Boolean).join(' · ')),
      changeCounts(transaction)),
    body);
  return details;
}

function changeTable(changes, context) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.history.changes },
    h('table', { class: 'change-table' },
      h('thead', {}, h('tr', {}, [texts.history.change, texts.history.object, texts.history.what].map((label) => h('th', { scope: 'col' }, label)))),
      h('tbody', {}, changes.map((change) => h('tr', {},
        h('td', {}, h('span', { class: `kind ${change.change}` }, texts.history.kinds[change.change] ?? change.change)),
        h('th', { scope: 'row' }, objectLink(change.id, context)),
        h('td', {}, whatChanged(change, context)))))));
}

function whatChanged({ change, properties, preserved }, context) {
  if (preserved && Object.keys(preserved).length) {
    return h('dl', { class: 'preserved' }, Object.entries(preserved).map(([name, value]) => [h('dt', {}, name), h('dd', {}, valueView(value, context))]));
  }
  if (properties?.length) return properties.map((name) => [h('code', {}, name), ' ']);
  return h('span', { class: 'quiet' }, change === 'update' ? texts.history.unknownProperties : '');
}

function pager(asked, next, { address }) {
  const link = (values, label) => h('a', { href: write({ store: address.store, view: 'history', values: { ...asked, ...values } }) }, label);
  return [
    asked.to && link({ to: '' }, texts.history.newest),
    next !== null && link({ to: next }, texts.history.older),
  ];
}
