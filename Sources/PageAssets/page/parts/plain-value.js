// A value of the command's output: text or, for an object, a link to it.

import { write } from '../address.js';
import { h } from '../dom.js';
import { texts } from '../texts.js';

const objectID = /^x-coredata:\/\/[^/]*\/([^/]+)\/p(\d+)$/;

/** The short form of an object ID, such as Item/p12, or null if the value isn't an object ID. */
export function shortID(value) {
  const match = typeof value === 'string' ? objectID.exec(value) : null;
  return match && `${match[1]}/p${match[2]}`;
}

/** Whether a text is the short form of an object ID, such as Item/p12. */
export function isShortID(text) {
  return /^[^/]+\/p\d+$/.test(text);
}

export function objectLink(value, { address }) {
  const short = shortID(value) ?? value;
  return h('a', { class: 'object', href: write({ store: address.store, view: 'row', name: short }) }, short);
}

/** The element of a value. The type of the attribute, if it is known, distinguishes dates from texts. */
export function valueView(value, context, type) {
  if (value == null) return h('span', { class: 'null' }, texts.plain.null);
  if (shortID(value)) return objectLink(value, context);
  if (type === 'Date' && typeof value === 'string') return dateView(value);
  if (typeof value === 'number' || isLargeInteger(value, type)) return numberView(value);
  if (typeof value === 'object') return JSON.stringify(value);
  if (value === '') return h('span', { class: 'null' }, texts.plain.empty);
  return String(value);
}

/** Whether a value is an integer that is represented as a string, because JavaScript would round it. */
export function isLargeInteger(value, type) {
  return typeof value === 'string' && /^Integer/.test(type ?? '') && /^-?\d+$/.test(value);
}

/** A number, rounded for reading, with the exact number as title. Small numbers keep their digits. The value is a string if JavaScript would round it. */
export function numberView(value) {
  if (typeof value === 'string') return h('span', { title: value }, BigInt(value).toLocaleString('en-US'));
  const digits = value !== 0 && Math.abs(value) < 0.001 ? { maximumSignificantDigits: 6 } : { maximumFractionDigits: 6 };
  return h('span', { title: String(value) }, value.toLocaleString('en-US', digits));
}

/** An ISO 8601 date in the form 2026-01-31 09:30:00, with the exact date as title. */
export function dateView(text) {
  return h('time', { datetime: text, title: text }, text.replace('T', ' ').replace(/(\.\d+)?Z$/, ''));
}
