// A value in a cell of a table, in a short form that depends on its type.

import { bytes } from '../api.js';
import { h } from '../dom.js';
import { texts } from '../texts.js';
import { dateView, isLargeInteger, numberView, objectLink, shortID } from './plain-value.js';

const images = { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };
const mostImageBytes = 5_000_000;

/** The element of a value. The row and the column are from page-rows, the context is that of the view. */
export function cellView(value, column, row, context) {
  if (value == null) return h('span', { class: 'null' }, texts.plain.null);
  if (value.missing) return h('span', { class: 'bad' }, texts.cell.missing);
  if (value.bytes !== undefined) return dataView(value, column, row, context);
  if (value.text !== undefined) return h('span', {}, value.text, h('span', { class: 'quiet' }, `… (${texts.plural(value.length, 'character')})`));
  if (column.destination !== undefined && shortID(value)) return objectLink(value, context);
  if (column.type === 'Date' && typeof value === 'string') return dateView(value);
  if (typeof value === 'number' || isLargeInteger(value, column.type)) return numberView(value);
  if (value === '') return h('span', { class: 'null' }, texts.plain.empty);
  return String(value);
}

export function isImage(value) {
  return value?.kind in images && value.bytes <= mostImageBytes;
}

function dataView(value, column, row, context) {
  const text = texts.cell.data(value.kind, value.bytes);
  if (!isImage(value)) return h('span', { class: 'data' }, text);
  const place = h('span', { class: 'thumbnail', title: text });
  showImage(place, row.id, column.name, value.kind, context).catch(() => place.append(text));
  return place;
}

const kept = new Map();
const mostKept = 200;

/** Shows a value as an image, whose URL is only valid on this page. */
export async function showImage(place, id, attribute, kind, { address, signal }) {
  const name = `${address.store} ${id} ${attribute}`;
  let url = kept.get(name);
  if (!url) {
    const value = await bytes(['page-value', id, attribute], { store: address.store, signal });
    url = URL.createObjectURL(new Blob([value], { type: images[kind] }));
    kept.set(name, url);
    forget();
  }
  place.replaceChildren(h('img', { src: url, alt: texts.cell.image(attribute) }));
}

function forget() {
  for (const [name, url] of kept) {
    if (kept.size <= mostKept) return;
    URL.revokeObjectURL(url);
    kept.delete(name);
  }
}

/** Forgets all images, because the values can be other images after a change of the store. */
export function forgetImages() {
  for (const url of kept.values()) URL.revokeObjectURL(url);
  kept.clear();
}
