// One row: its values, its relationships, the rows that refer to it, and its history.

import { all } from '../api.js';
import { fill, h } from '../dom.js';
import { forgetImages } from '../parts/cell.js';
import { failureView } from '../parts/failure.js';
import { entityNamed } from '../parts/key-paths.js';
import { keepingFocus, onceAtATime } from '../parts/live.js';
import { isShortID, objectLink, shortID } from '../parts/plain-value.js';
import { memberEditor, rowEditor } from '../parts/row-edit.js';
import { fullValue } from '../parts/full-value.js';
import { nameRows } from '../parts/row-names.js';
import { texts } from '../texts.js';

const membersAtFirst = 20;

export default {
  title: (address) => address.name,

  async show(element, context) {
    const { address, signal } = context;
    if (!isShortID(address.name)) throw new Error(texts.row.noObject(address.name));
    context.command(['show', address.name, `--members=${membersAtFirst}`]);
    // The row isn't drawn again while the user edits it.
    const isAtWork = () => element.querySelector('form.editor, .members[open]') !== null;
    const read = onceAtATime(async () => {
      try {
        const [row] = await all(['show', address.name, `--members=${membersAtFirst}`, '--describe-data'], { store: address.store, signal });
        if (isAtWork()) return;
        forgetImages();
        const view = h('div', {}, rowView(row, context, read));
        const named = nameRows(view.querySelectorAll('.links a.object'), context);
        // The first time, show the row at once. Later, replace it only when its names have been read.
        if (element.childElementCount) await named;
        if (signal.aborted || isAtWork()) return;
        keepingFocus(element, () => fill(element, view));
        await named;
      } catch (error) {
        if (signal.aborted || isAtWork()) return;
        fill(element, failureView(error, context.again));
      }
    }, signal);
    context.onChange(read);
    await read();
  },
};

function rowView(row, context, reload) {
  const { model, page } = context;
  const entity = entityNamed(model, row.entity);
  const id = shortID(row.id);
  return [
    h('p', { class: 'summary' },
      h('a', { href: context.href({ view: 'rows', name: row.entity }) }, texts.row.all(row.entity)), ' · ',
      row.parents?.length > 0 && [texts.row.parents(row.parents), ' · '], texts.row.version(row.version)),
    page.writable && entity ? rowEditor({ row, entity, context, onDone: reload }) : null,
    h('h2', {}, texts.row.attributes),
    h('dl', { class: 'values' }, row.attributes.map((one) => [
      h('dt', {}, h('code', {}, one.attribute), h('span', { class: 'type' }, one.type)),
      h('dd', {}, fullValue(one, id, context)),
    ])),
    row.relationships.length > 0 && [
      h('h2', {}, texts.row.relationships),
      row.relationships.map((one) => linksView(one, row, id, context, reload)),
    ],
    row.referredToBy?.length > 0 && [
      h('h2', {}, texts.row.referrers),
      row.referredToBy.map((one) => linksView(one, row, id, context)),
    ],
    historyView(row, id, context),
  ];
}

/** A relationship with its first members, and a link to all members, which are found by the inverse relationship. */
function linksView(links, row, id, context, reload) {
  const { model, page } = context;
  const own = entityNamed(model, row.entity)?.relationships.find((one) => one.name === links.relationship);
  const more = links.count > links.first.length && own && membersCondition(own, model, row, id);
  return h('section', { class: 'links' },
    h('h3', {}, h('code', {}, links.relationship), links.destination && h('span', { class: 'type' }, ` ${links.kind} ${links.destination}`),
      h('span', { class: 'quiet' }, ` ${texts.number(links.count)}`)),
    links.dangling && h('p', { class: 'bad' }, texts.row.dangling),
    links.first.length > 0 && h('ul', { class: 'examples' }, links.first.map((one) => h('li', {}, objectLink(one, context)))),
    links.count > links.first.length && h('p', {}, more
      ? h('a', { href: context.href({ view: 'rows', name: own.destination, values: { where: more } }) }, texts.row.allMembers(links.count))
      : texts.row.more(links.count - links.first.length)),
    page.writable && own && reload ? memberEditor({ relationship: own, row, id, context, onDone: reload }) : null);
}

/** A predicate about the destination that matches the members of this row. */
function membersCondition({ inverse, destination }, model, { entity }, id) {
  const back = inverse && entityNamed(model, destination)?.relationships.find((one) => one.name === inverse);
  if (!back || !entity) return undefined;
  return `${back.toMany ? 'ANY ' : ''}${back.path} == "x-coredata:///${id}"`;
}

function historyView({ history = [], historyChanges }, id, context) {
  if (historyChanges == null) return null;
  return [
    h('h2', {}, texts.row.history(historyChanges)),
    history.length > 0 && h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.row.history(historyChanges) }, h('table', {},
      h('thead', {}, h('tr', {}, texts.row.historyColumns.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, history.map((one) => h('tr', {},
        h('td', {}, one.date?.replace('T', ' ').replace('Z', '') ?? ''), h('td', {}, one.change), h('td', {}, one.author ?? ''),
        h('td', {}, (one.properties ?? []).join(', ')), h('td', { class: 'number' }, String(one.transaction))))))),
    h('p', {}, h('a', { href: context.href({ view: 'history', values: { object: id } }) }, texts.row.wholeHistory)),
  ];
}
