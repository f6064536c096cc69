// A table of any number of rows. Only visible rows have elements.

import { run } from '../api.js';
import { fill, h } from '../dom.js';
import { texts } from '../texts.js';
import { cellView, forgetImages } from './cell.js';
import { failureView } from './failure.js';
import { isData, isNumeric } from './key-paths.js';
import { onceAtATime } from './live.js';
import { shortID } from './plain-value.js';
import { RowCache } from './row-cache.js';
import { RowKeys, listKeys } from './row-keys.js';
import { TableCursor } from './table-cursor.js';
import { TableScroll, rowHeight } from './table-scroll.js';

const firstRows = 100;
const moreAround = 20;
const pauseBeforeRemembering = 200;
let count = 0;

/**
 * A table of the rows of a request. `words` are the arguments after page-rows and page-keys, such as `Item`, `--where=…` or `--template=…`.
 *
 * - sort: the sort order in `words`, such as 'name' or '-name'. onSort is called with the order that the user chooses, or ''.
 * - entity: the entity of the model, whose indexed attributes can be sorted fast.
 * - onOpen(row): called after Enter or a click on the row's number. onCount(count, isWhole): called with the number of rows found so far.
 *
 * The element has refresh(), goTo(index) and `ready`, a promise of the first rows.
 */
export function rowTable(options) {
  return new RowTable(options).element;
}

class RowTable {
  #columns = [];
  #hasColumns = false;
  #keys;
  #isListed = false;
  #hasFailed = false;
  #first = new AbortController();
  #listing;
  /** The promise of the first listing. */
  #listed;
  #drawn = '';
  #memory;
  /** The position {first, row, column} when the view was left, until it is restored. */
  #remembered;

  constructor(options) {
    Object.assign(this, { onSort: () => {}, onOpen: () => {}, onCount: () => {} }, options);
    this.id = `table-${++count}`;
    const { context } = this;
    this.head = h('div', { class: 'grid-head' });
    this.body = h('div', { class: 'grid-body' });
    this.scroll = new TableScroll([this.head, this.body], () => this.#draw());
    const grid = this.scroll.element;
    for (const [name, value] of Object.entries({ role: 'grid', tabindex: '0', 'aria-label': options.label ?? texts.table.label, id: this.id })) grid.setAttribute(name, value);
    this.cursor = new TableCursor(grid, {
      rows: () => this.#keys?.count ?? 0,
      columns: () => this.#columns.length,
      page: () => this.scroll.visible - 1,
      onMove: (row) => {
        this.#remember();
        this.scroll.reveal(row);
        this.#draw(true);
        this.#revealColumn();
      },
      onOpen: (row) => this.#open(row),
    });
    this.bar = h('progress', { max: '1', 'aria-label': texts.table.searching });
    this.progress = h('span', {});
    this.stopButton = h('button', { type: 'button', onclick: () => this.#stop() }, texts.run.stop);
    this.work = h('div', { class: 'work', hidden: true }, this.bar, this.progress, this.stopButton);
    this.fault = h('div', {});
    this.cache = this.#newCache();
    this.element = h('div', { class: 'row-table' }, this.work, this.fault, grid);
    this.element.refresh = () => this.refresh();
    this.element.goTo = (index) => {
      grid.focus();
      this.cursor.move(Math.max(0, Math.min(index, (this.#keys?.count ?? 1) - 1)), this.cursor.column);
    };
    this.#remembered = context.remembered;
    // A user who has moved doesn't want to return to the earlier position.
    for (const kind of ['wheel', 'pointerdown', 'keydown']) grid.addEventListener(kind, () => { this.#remembered = undefined; }, { passive: true });
    grid.addEventListener('click', () => this.#rememberNow(), { capture: true });
    this.element.ready = this.#start();
    // A running request ends before the next one starts, even if the store changes often.
    this.renew = onceAtATime(() => this.#renewRows(), context.signal);
    this.relist = onceAtATime(() => this.#listed.then(() => this.#list()), context.signal);
    context.signal.addEventListener('abort', () => clearTimeout(this.#memory));
  }

  #newCache() {
    return new RowCache(this.words, {
      store: this.context.address.store, signal: this.context.signal,
      onRows: () => this.#draw(true), onColumns: (columns) => this.#hasColumnsAs(columns), onError: (error) => this.#show(error),
    });
  }

  /** Shows the first rows before all rows are counted. */
  async #start() {
    const { signal, address } = this.context;
    this.#keys = new RowKeys();
    this.#listed = this.#list();
    const rows = [];
    try {
      for await (const line of run(['page-rows', `--limit=${firstRows}`, ...this.words], { store: address.store, signal: AbortSignal.any([signal, this.#first.signal]) })) {
        if (line.columns) this.#setColumns(line.columns);
        else rows.push(line);
      }
    } catch (error) {
      // The user has stopped the search. The rows found so far remain.
      if (this.#first.signal.aborted && !signal.aborted) return;
      this.#hasFailed = true;
      this.#listing.abort();
      throw error;
    }
    rows.forEach((row) => this.cache.put(row));
    if (this.#keys.count < rows.length) {
      this.#keys = new RowKeys();
      this.#keys.add(rows.map((row) => row.key));
    }
    this.#resize();
  }

  /** Lists all keys. The previous keys are used until the new list is complete, or longer than the previous one. */
  async #list() {
    if (this.#hasFailed) return;
    const listing = new AbortController();
    this.#listing = listing;
    const began = performance.now();
    const keys = new RowKeys();
    const isFirst = !this.#isListed;
    let drawn = 0;
    const adopt = (isWhole) => {
      const top = this.#keys.at(Math.floor(this.scroll.first));
      this.#keys = keys;
      drawn = performance.now();
      this.#resize(isWhole);
      return top;
    };
    try {
      const { isWhole } = await listKeys(this.words, {
        store: this.context.address.store, signal: AbortSignal.any([this.context.signal, listing.signal]), into: keys,
        onProgress: ({ count: found, share }) => {
          if (performance.now() - began < 300) return;
          this.#report(found, share);
          const isMore = this.#keys === keys || found > this.#keys.count;
          if (isFirst && isMore && performance.now() - drawn > 200) adopt();
        },
      });
      const top = adopt(true);
      const place = isFirst ? -1 : keys.indexOf(top);
      if (place >= 0) this.scroll.first = place;
      this.#isListed = true;
      this.work.hidden = true;
      this.fault.replaceChildren();
      this.onCount(keys.count, isWhole);
      this.#draw(true);
    } catch (error) {
      if (this.context.signal.aborted || this.#hasFailed) return;
      this.work.hidden = true;
      if (!listing.signal.aborted) {
        // The first rows fail with the same error, so it is shown there.
        if (this.#isListed) this.#show(error);
        return;
      }
      if (keys.count > this.#keys.count) adopt();
      this.context.say(texts.run.stopped);
      this.onCount(this.#keys.count, false, true);
      this.#draw(true);
    }
  }

  #report(found, share) {
    this.work.hidden = false;
    if (share === undefined) this.bar.removeAttribute('value');
    else this.bar.value = share;
    this.progress.textContent = texts.table.progress(found, share);
    this.onCount(Math.max(found, this.#keys.count), false);
  }

  /** Updates the rows and the keys after a change of the store. */
  refresh() {
    this.renew();
    this.relist();
  }

  async #renewRows() {
    // The view shows the errors of the first rows.
    await this.element.ready.catch(() => {});
    if (this.#hasFailed) return;
    forgetImages();
    this.cache.renew();
    this.#draw(true);
    await this.cache.idle();
  }

  #stop() {
    this.#first.abort();
    this.#listing.abort();
  }

  #show(error) {
    fill(this.fault, failureView(error, this.context.again));
  }

  /** Whether the columns are those of the table. If a migration has changed them, shows the view again. */
  #hasColumnsAs(columns) {
    if (JSON.stringify(columns) === JSON.stringify(this.#columns)) return true;
    this.context.again();
    return false;
  }

  #setColumns(columns) {
    this.#columns = columns;
    this.#hasColumns = true;
    this.head.setAttribute('role', 'row');
    this.head.setAttribute('aria-rowindex', '1');
    const widths = columns.map(widthOf);
    const template = `4.5rem ${widths.map((width) => `minmax(${width}rem, ${width * 1.6}fr)`).join(' ')}`;
    this.scroll.element.style.setProperty('--columns', template);
    this.scroll.element.style.setProperty('--row-width', `${4.5 + widths.reduce((sum, width) => sum + width, 0)}rem`);
    this.scroll.element.setAttribute('aria-colcount', columns.length + 1);
    fill(this.head, h('div', { role: 'columnheader', class: 'number', 'aria-colindex': '1' }, texts.table.key), columns.map((column, index) => this.#heading(column, index)));
  }

  #heading(column, index) {
    const { path } = column;
    const [direction, next] = this.sort === path ? ['ascending', `-${path}`] : this.sort === `-${path}` ? ['descending', ''] : ['none', path];
    const mark = { ascending: ' ▲', descending: ' ▼', none: '' }[direction];
    const canSort = column.destination === undefined && !isData(column.type);
    const isIndexed = [...this.entity?.indexes ?? [], ...this.entity?.unique ?? []].some(([first]) => first === column.name || first === `-${column.name}`);
    return h('div', { role: 'columnheader', 'aria-sort': canSort ? direction : null, 'aria-colindex': String(index + 2), class: isNumeric(column.type) ? 'number' : '' },
      canSort
        ? h('button', { type: 'button', class: 'heading', title: texts.table.sortBy(column.name, column.type ?? column.destination, isIndexed), onclick: () => this.onSort(next) },
          column.name, isIndexed && h('span', { class: 'quiet', 'aria-hidden': 'true' }, ' ⚡'), mark)
        : h('span', { title: column.type ?? column.destination }, column.name));
  }

  #resize(isWhole = false) {
    this.scroll.count = this.#keys.count;
    this.scroll.element.setAttribute('aria-rowcount', this.#keys.count + 1);
    this.#draw(true);
    this.#restore(isWhole);
  }

  #remember() {
    if (this.#remembered) return;
    clearTimeout(this.#memory);
    this.#memory = setTimeout(() => this.#rememberNow(), pauseBeforeRemembering);
  }

  #rememberNow() {
    clearTimeout(this.#memory);
    this.context.remember({ first: this.scroll.first, row: this.cursor.row, column: this.cursor.column });
  }

  /** Restores the remembered position when enough rows are listed. isWhole: whether all rows are listed. */
  #restore(isWhole) {
    if (!this.#remembered || (!isWhole && this.#keys.count <= this.#remembered.first + this.scroll.visible)) return;
    const { first, row, column } = this.#remembered;
    this.#remembered = undefined;
    Object.assign(this.cursor, { row: Math.min(row, this.#keys.count - 1), column });
    // Keyboard users continue at this position.
    if (!document.activeElement || !document.activeElement.matches('a, button, input, select, textarea, summary')) this.scroll.element.focus({ preventScroll: true });
    this.scroll.first = first;
    this.#draw(true);
  }

  #open(row) {
    this.#rememberNow();
    const found = this.cache.get(this.#keys.at(row));
    if (found) this.onOpen(found);
  }

  #revealColumn() {
    this.body.querySelector('.active-cell')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  #draw(isNew = false) {
    if (!this.#hasColumns) return;
    const from = Math.max(0, Math.floor(this.scroll.first));
    const to = Math.min(this.#keys.count, from + this.scroll.visible + 2);
    const state = `${from} ${to}`;
    if (state !== this.#drawn) this.#remember();
    if (isNew || state !== this.#drawn) {
      this.#drawn = state;
      const rows = [];
      for (let index = from; index < to; index += 1) rows.push(this.#row(index));
      fill(this.body, rows);
      this.cache.want(this.#keys.slice(from - moreAround, to + moreAround));
    }
    this.body.style.transform = `translateY(${-(this.scroll.first - from) * rowHeight}px)`;
  }

  #row(index) {
    const key = this.#keys.at(index);
    const row = this.cache.get(key);
    const isActive = this.cursor.row === index;
    const cells = row
      ? row.cells.map((cell, column) => h('div', {
        role: 'gridcell', 'aria-colindex': String(column + 2), id: isActive && this.cursor.column === column + 1 ? `${this.id}-cell` : null,
        class: `${isNumeric(this.#columns[column].type) ? 'number' : ''}${isActive && this.cursor.column === column + 1 ? ' active-cell' : ''}`,
      }, cellView(cell, this.#columns[column], row, this.context)))
      : h('div', { role: 'gridcell', class: 'quiet', 'aria-colindex': '2' }, row === null ? texts.table.gone : '…');
    return h('div', { role: 'row', class: `grid-row${isActive ? ' active' : ''}${row?.isOld ? ' old' : ''}`, 'aria-rowindex': String(index + 2), onclick: () => this.cursor.move(index, this.cursor.column) },
      h('div', { role: 'rowheader', class: `number key${isActive && this.cursor.column === 0 ? ' active-cell' : ''}`, id: isActive && this.cursor.column === 0 ? `${this.id}-cell` : null, 'aria-colindex': '1' },
        row ? h('a', { href: this.context.href({ view: 'row', name: shortID(row.id) }), tabindex: '-1' }, String(key)) : String(key)),
      cells);
  }
}

/** The minimum width of a column, in rem. */
function widthOf({ type, destination, name }) {
  const heading = Math.min(name.length * 0.6 + 2.5, 14);
  const wide = destination !== undefined ? 10 : type === 'String' ? 13 : type === 'Date' ? 11.5 : isNumeric(type) ? 7 : type === 'Boolean' ? 5.5 : type === 'UUID' ? 18 : 10;
  return Math.max(heading, wide);
}
