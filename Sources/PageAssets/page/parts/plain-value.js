// A value as the command line prints it, as text or, where it is an object, as a link to it.

import { write } from '../address.js';
import { h } from '../dom.js';
import { texts } from '../texts.js';

const objectID = /^x-coredata:\/\/[^/]*\/([^/]+)\/p(\d+)$/;

/** The short form of an object ID, Item/p12; or null for another text. */
export function shortID(value) {
  const match = typeof value === 'string' ? objectID.exec(value) : null;
  return match && `${match[1]}/p${match[2]}`;
}

/** Whether it is as Item/p12. */
export function isShortID(text) {
  return /^[^/]+\/p\d+$/.test(text);
}

export function objectLink(value, { address }) {
  const short = shortID(value) ?? value;
  return h('a', { class: 'object', href: write({ store: address.store, view: 'row', name: short }) }, short);
}

/** - type: of the attribute, where it is known: a date is told from a text by it. */
export function valueView(value, context, type) {
  if (value == null) return h('span', { class: 'null' }, texts.plain.null);
  if (shortID(value)) return objectLink(value, context);
  if (type === 'Date' && typeof value === 'string') return dateView(value);
  if (typeof value === 'number' || isLargeInteger(value, type)) return numberView(value);
  if (typeof value === 'object') return JSON.stringify(value);
  if (value === '') return h('span', { class: 'null' }, texts.plain.empty);
  return String(value);
}

/** Whether it is an integer that came as a text. */
export function isLargeInteger(value, type) {
  return typeof value === 'string' && /^Integer/.test(type ?? '') && /^-?\d+$/.test(value);
}

/** Rounded to be read, exact in its title; small ones keep their digits. What JavaScript would round comes as a text. */
export function numberView(value) {
  if (typeof value === 'string') return h('span', { title: value }, BigInt(value).toLocaleString('en-US'));
  const digits = value !== 0 && Math.abs(value) < 0.001 ? { maximumSignificantDigits: 6 } : { maximumFractionDigits: 6 };
  return h('span', { title: String(value) }, value.toLocaleString('en-US', digits));
}

/** 2026-01-31 09:30:00 of an ISO 8601 date, whole in its title. */
export function dateView(text) {
  return h('time', { datetime: text, title: text }, text.replace('T', ' ').replace(/(\.\d+)?Z$/, ''));
}
