// Rows in sections, which are updated while other programs write to the store. New changes are marked.

import { run } from '../api.js';
import { fill, h } from '../dom.js';
import { columnsOf, entityNamed, entitySelect, isData, isNumeric, keyPathSelect, keyPaths } from '../parts/key-paths.js';
import { objectLink, valueView } from '../parts/plain-value.js';
import { predicateField } from '../parts/predicate-field.js';
import { WatchedList } from '../parts/watched-list.js';
import { texts } from '../texts.js';

const mostRows = 5000;
const rowsAtFirst = 25;
const mostColumns = 6;
/** The maximum number of sections that are shown, because each is a table. */
const mostSections = 100;
/** The milliseconds for which a change is marked. The style fades the mark unless the user prefers reduced motion. */
const markTime = 4000;

export default {
  title: (address) => (address.name ? texts.sections.titleOf(address.name) : texts.sections.title),

  async show(element, context) {
    const { address, model, go } = context;
    const entity = address.name || model?.entities[0]?.name;
    if (address.name && !entityNamed(model, address.name)) throw new Error(texts.rows.noEntity(address.name));
    if (!entity) return element.append(h('p', { class: 'empty' }, texts.page.noModel));
    const asked = readRequest(address.values, entity, model);
    const columns = shownColumns(entityNamed(model, entity), asked.by);
    const words = (where) => requestWords(entity, columns, { ...asked, where });
    const change = (values) => go({
      view: 'sections', name: values.entity ?? entity, values: values.entity ? {} : { ...asked, ...values },
    });
    context.command([...words(asked.where), '--watch']);

    const status = h('p', { class: 'summary', role: 'status' }, texts.sections.waiting);
    const list = h('div', { class: 'sections' });
    const where = predicateField({
      entity, value: asked.where, context, label: texts.sections.where, words, onSubmit: (text) => change({ where: text }),
    });
    element.append(chooser(entity, asked, model, change), where, status, list);

    const drawing = new SectionsView(list, columns, context);
    let isWatching = false;
    // The command runs as long as the view, or until the store can't be read.
    const follow = async () => {
      if (isWatching) return;
      isWatching = true;
      list.replaceChildren();
      try {
        await watch([...words(asked.where), '--watch'], context, drawing, status);
      } catch (error) {
        if (context.signal.aborted) return;
        fill(list, where.markOwn(error));
        status.textContent = '';
      } finally {
        isWatching = false;
      }
    };
    follow();
    context.onChange(follow);
    return undefined;
  },
};

async function watch(words, { address, signal }, drawing, status) {
  const watched = new WatchedList();
  let moment = 0;
  for await (const record of run(words, { store: address.store, signal })) {
    const changed = watched.add(record);
    if (!changed) continue;
    const isFirst = moment++ === 0;
    drawing.draw(watched.sections, isFirst ? undefined : changed);
    status.textContent = texts.sections.live(record.rows, record.sections, mostRows)
      + (isFirst ? '' : ` ${texts.sections.changed(changed.inserted.size, changed.updated.size, changed.moved.size, changed.deleted.size)}`);
  }
}

function readRequest(values, entity, model) {
  const first = keyPaths(model, entity).flatMap((group) => group.paths);
  const few = first.find((one) => one.type === 'Boolean') ?? first.find((one) => one.destination) ?? first.find((one) => one.type === 'String') ?? first[0];
  return { by: values.get('by') || few?.path || '', sort: values.get('sort') ?? '', where: values.get('where') ?? '' };
}

/** The columns that are shown: texts first, without the attribute of the sections. */
function shownColumns(entity, by) {
  const shown = columnsOf(entity).filter((one) => one.path !== by && !isData(one.type));
  return [...shown.filter((one) => one.type === 'String'), ...shown.filter((one) => one.type !== 'String')].slice(0, mostColumns);
}

function requestWords(entity, columns, { by, sort, where }) {
  return [
    'fetch', entity, ...(columns.length ? [`--select=${columns.map((one) => one.path).join(',')}`] : []), ...(by ? [`--sections=${by}`] : []), ...(sort ? [`--sort=${sort}`] : []),
    ...(where ? [`--where=${where}`] : []), `--limit=${mostRows}`,
  ];
}

function chooser(entity, asked, model, change) {
  const groups = keyPaths(model, entity);
  const down = asked.sort.startsWith('-');
  const sorted = keyPathSelect(groups, asked.sort.replace(/^-/, ''), {
    none: texts.sections.noSort, onchange: (event) => change({ sort: event.target.value && (down ? '-' : '') + event.target.value }),
  });
  return h('div', { class: 'choosers' },
    h('label', {}, texts.sections.entity, ' ', entitySelect(model, entity, { onchange: (event) => change({ entity: event.target.value }) })),
    h('label', {}, texts.sections.by, ' ', keyPathSelect(groups, asked.by, { onchange: (event) => change({ by: event.target.value, sort: asked.sort }) })),
    h('label', {}, texts.sections.sort, ' ', sorted),
    asked.sort && h('button', { type: 'button', class: 'small', 'aria-pressed': String(down), onclick: () => change({ sort: down ? asked.sort.slice(1) : `-${asked.sort}` }) }, texts.sections.descending));
}

/** Draws a list of sections with as few changes as possible: a row keeps its element, so that focus stays in it. */
class SectionsView {
  #element;
  #context;
  #columns;
  #rest = h('p', { class: 'summary' });
  /** By object ID, the rows that are shown. */
  #rows = new Map();
  /** By the section of the list: {element, count, body, more, shown}. Names aren't unique: NULL and the empty text are both shown without a name. */
  #sections = new Map();

  constructor(element, columns, context) {
    [this.#element, this.#columns, this.#context] = [element, columns, context];
    element.after(this.#rest);
  }

  draw(all, changed) {
    const sections = all.slice(0, mostSections);
    this.#rest.hidden = all.length <= mostSections;
    this.#rest.textContent = texts.sections.moreSections(all.length - mostSections);
    for (const [section, { element }] of this.#sections) {
      if (!sections.includes(section)) {
        element.remove();
        this.#sections.delete(section);
      }
    }
    const used = new Set();
    sections.forEach((section, index) => {
      const drawn = this.#section(section);
      if (this.#element.children[index] !== drawn.element) this.#element.insertBefore(drawn.element, this.#element.children[index] ?? null);
      this.#drawRows(drawn, section.rows, changed, used);
    });
    for (const id of this.#rows.keys()) if (!used.has(id)) this.#rows.delete(id);
    if (!sections.length) fill(this.#element, h('p', { class: 'empty' }, texts.sections.none));
    else this.#element.querySelector(':scope > .empty')?.remove();
  }

  #section(listed) {
    if (this.#sections.has(listed)) return this.#sections.get(listed);
    const name = listed.name ?? '';
    const count = h('span', { class: 'count' });
    const body = h('tbody');
    const more = h('button', { type: 'button', class: 'small', hidden: true });
    const title = shownName(name, this.#context);
    const element = h('section', { class: 'section' },
      h('h2', {}, title, ' ', count),
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.sections.rowsOf(name) },
        h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, texts.sections.object), this.#columns.map(({ name: heading, type }) => h('th', { scope: 'col', class: type === 'Date' ? 'date' : isNumeric(type) ? 'number' : null }, heading)))), body)),
      more);
    const section = { element, count, body, more, shown: rowsAtFirst };
    this.#sections.set(listed, section);
    return section;
  }

  #drawRows(section, rows, changed, used) {
    const isMarked = (id) => changed && (changed.inserted.has(id) || changed.updated.has(id) || changed.moved.has(id));
    if (section.count.textContent !== '' && changed && Number(section.count.dataset.rows) !== rows.length) mark(section.count, 'updated');
    section.count.dataset.rows = rows.length;
    section.count.textContent = texts.plural(rows.length, 'row');
    const shown = rows.slice(0, section.shown);
    const keep = new Set(shown.map((row) => row.id));
    for (const element of [...section.body.children]) if (!keep.has(element.dataset.id)) element.remove();
    shown.forEach((row, index) => {
      used.add(row.id);
      const element = this.#row(row);
      if (section.body.children[index] !== element) section.body.insertBefore(element, section.body.children[index] ?? null);
      if (isMarked(row.id)) mark(element, changed.inserted.has(row.id) ? 'inserted' : 'updated');
    });
    section.more.hidden = rows.length <= section.shown;
    section.more.textContent = texts.sections.more(rows.length - section.shown);
    section.more.onclick = () => {
      section.shown += 10 * rowsAtFirst;
      this.#drawRows(section, rows, undefined, new Set());
    };
  }

  #row({ id, row }) {
    const known = this.#rows.get(id);
    if (known && known.row === row) return known.element;
    const element = known?.element ?? h('tr', { 'data-id': id });
    fill(element, h('th', { scope: 'row' }, objectLink(id, this.#context)), this.#columns.map(({ path, type }) => h('td', { class: isNumeric(type) ? 'number' : null }, valueView(row[path], this.#context, type))));
    this.#rows.set(id, { element, row });
    return element;
  }
}

function shownName(name, context) {
  return name === '' ? texts.sections.noName : valueView(name, context);
}

function mark(element, kind) {
  element.classList.remove('inserted', 'updated');
  // A running animation wouldn't start again.
  element.getBoundingClientRect();
  element.classList.add(kind);
  clearTimeout(element.markTimer);
  element.markTimer = setTimeout(() => element.classList.remove(kind), markTime);
}
