// A complete value of a row. Long text is folded, and data is shown according to its kind.

import { all, bytes } from '../api.js';
import { fill, h } from '../dom.js';
import { texts } from '../texts.js';
import { isImage, showImage } from './cell.js';
import { failureView } from './failure.js';
import { isLargeInteger, valueView } from './plain-value.js';

const foldedAt = 600;
const mostShown = 200_000;

/** The element of a value that `show --describe-data` prints as {attribute, type, value}. The id is such as Item/p12. */
export function fullValue({ attribute, type, value }, id, context) {
  if (value?.missing) return h('span', { class: 'bad' }, texts.cell.missing);
  return value?.kind ? dataView(value, attribute, id, context) : textView(value, context, type);
}

function textView(value, context, type) {
  if (typeof value === 'number' || isLargeInteger(value, type)) return String(value);
  if (type === 'Date' && typeof value === 'string') return h('time', { datetime: value }, value.replace('T', ' ').replace(/Z$/, ''));
  if (typeof value !== 'string' || value.length <= foldedAt) {
    return typeof value === 'string' && value.includes('\n') ? h('pre', { class: 'text' }, value) : valueView(value, context, type);
  }
  return h('details', {}, h('summary', {}, `${value.slice(0, 200)}… (${texts.plural([...value].length, 'character')})`), h('pre', { class: 'text', tabindex: '0' }, value));
}

/** The element of data. The value is {bytes, kind, start}; `start` contains the first bytes in base64. */
function dataView(value, attribute, id, context) {
  const { kind, bytes: size, start } = value;
  const place = h('div', { class: 'preview' });
  const save = h('button', { type: 'button', onclick: () => download(attribute, id, context).catch((error) => fill(place, failureView(error))) }, texts.row.download);
  if (isImage(value)) showImage(place, id, attribute, kind, context).catch((error) => fill(place, failureView(error)));
  else if ((kind === 'text' || kind === 'json') && size <= mostShown) showText(place, attribute, id, context);
  else if (kind === 'plist') showPlain(place, attribute, id, context);
  else if (kind === 'data') fill(place, h('pre', { class: 'text' }, hexadecimal(atob(start)), size > atob(start).length ? ' …' : ''));
  return h('div', {}, h('p', { class: 'quiet' }, texts.cell.data(kind, size), ' ', save), place);
}

/** Shows the content of a property list or an archive if it consists of texts, numbers, dates, lists and dictionaries. */
async function showPlain(place, attribute, id, { address, signal }) {
  try {
    const [plain] = await all(['page-plain', id, attribute], { store: address.store, signal });
    fill(place, plain === undefined ? h('p', { class: 'quiet' }, texts.row.notPlain) : h('pre', { class: 'text', tabindex: '0' }, JSON.stringify(plain, null, 2)));
  } catch (error) {
    if (!signal.aborted) fill(place, failureView(error));
  }
}

/** Shows a text. JSON is formatted with line breaks. */
async function showText(place, attribute, id, { address, signal }) {
  try {
    const text = await (await bytes(['page-value', id, attribute], { store: address.store, signal })).text();
    fill(place, h('pre', { class: 'text', tabindex: '0' }, indented(text)));
  } catch (error) {
    if (!signal.aborted) fill(place, failureView(error));
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function hexadecimal(start) {
  return [...start].map((one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join(' ');
}

async function download(attribute, id, { address, signal }) {
  const value = await bytes(['page-value', id, attribute], { store: address.store, signal });
  const url = URL.createObjectURL(value);
  const link = h('a', { href: url, download: `${id.replace('/', '-')}-${attribute}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
