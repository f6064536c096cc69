// Scrolls any number of rows. Browsers limit the height of an element to some ten million pixels, and a million rows require more.

import { h } from '../dom.js';

export const rowHeight = 28;
const mostPixels = 8_000_000;

export class TableScroll {
  #first = 0;
  #count = 0;
  #expected;

  /** The elements `layers` remain in view. onScroll is called before the next frame. */
  constructor(layers, onScroll) {
    this.view = h('div', { class: 'grid-view' }, layers);
    this.spacer = h('div', { class: 'grid-spacer', role: 'presentation' }, this.view);
    this.element = h('div', { class: 'grid' }, this.spacer);
    this.onScroll = onScroll;
    this.element.addEventListener('scroll', () => this.#scrolled());
    this.element.addEventListener('wheel', (event) => this.#wheeled(event), { passive: false });
    new ResizeObserver(() => {
      // Otherwise, the part of the last row below the edge would push the header out of view.
      this.view.style.height = `${this.element.clientHeight}px`;
      this.onScroll();
    }).observe(this.element);
  }

  /** The index of the first visible row, plus the fraction of it that is above the edge. */
  get first() {
    return this.#first;
  }

  set first(row) {
    this.#first = Math.max(0, Math.min(row, this.#last));
    const top = this.#isScaled ? (this.#last ? (this.#first / this.#last) * (this.#height - this.#room) : 0) : this.#first * rowHeight;
    this.element.scrollTop = top;
    // The browser rounds the position and sends an event as if the user had scrolled.
    this.#expected = this.element.scrollTop;
    this.onScroll();
  }

  set count(count) {
    this.#count = count;
    this.spacer.style.height = `${this.#height + rowHeight}px`;
    if (this.#first > this.#last) this.first = this.#last;
  }

  /** The number of complete rows that are visible. */
  get visible() {
    return Math.max(1, Math.floor(this.#room / rowHeight));
  }

  reveal(row) {
    if (row < this.#first) this.first = row;
    else if (row > this.#first + this.visible - 1) this.first = row - this.visible + 1;
  }

  get #room() {
    return Math.max(rowHeight, this.element.clientHeight - rowHeight - 2);
  }

  get #height() {
    return Math.min(this.#count * rowHeight, mostPixels);
  }

  get #isScaled() {
    return this.#count * rowHeight > mostPixels;
  }

  get #last() {
    return Math.max(0, this.#count - this.#room / rowHeight);
  }

  #scrolled() {
    const top = this.element.scrollTop;
    if (top === this.#expected) return;
    this.#expected = undefined;
    const range = this.#height - this.#room;
    const row = this.#isScaled ? (top / range) * this.#last : top / rowHeight;
    this.#first = Math.max(0, Math.min(row, this.#last));
    requestAnimationFrame(() => this.onScroll());
  }

  /** Scrolls by the same number of pixels as in other elements. */
  #wheeled(event) {
    if (!this.#isScaled || event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    const pixels = event.deltaMode === 1 ? event.deltaY * rowHeight : event.deltaMode === 2 ? event.deltaY * this.#room : event.deltaY;
    this.first = this.#first + pixels / rowHeight;
  }
}
