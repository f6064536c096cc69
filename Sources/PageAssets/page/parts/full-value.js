// A value of a row, whole: long text folded, data as what it is.

import { all, bytes } from '../api.js';
import { fill, h } from '../dom.js';
import { texts } from '../texts.js';
import { showImage } from './cell.js';
import { failureView } from './failure.js';
import { valueView } from './plain-value.js';

const foldedAt = 600;
const data = ['Binary', 'Transformable'];
const mostShown = 200_000;

/** - fact: {attribute, type, value}, as `show` prints it; id: Item/p12. */
export function fullValue({ attribute, type, value }, id, context) {
  if (value == null || !data.includes(type)) return textView(value, context, type);
  return dataView(value, attribute, id, context);
}

function textView(value, context, type) {
  if (typeof value === 'number') return String(value);
  if (type === 'Date' && typeof value === 'string') return h('time', { datetime: value }, value.replace('T', ' ').replace(/Z$/, ''));
  if (typeof value !== 'string' || value.length <= foldedAt) {
    return typeof value === 'string' && value.includes('\n') ? h('pre', { class: 'text' }, value) : valueView(value, context, type);
  }
  return h('details', {}, h('summary', {}, `${value.slice(0, 200)}… (${texts.plural([...value].length, 'character')})`), h('pre', { class: 'text', tabindex: '0' }, value));
}

/** Base64 as it was printed, and its kind by what it begins with. */
function dataView(base64, attribute, id, context) {
  const size = Math.floor(base64.length * 0.75) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
  const start = Uint8Array.from(atob(base64.slice(0, 64)), (one) => one.charCodeAt(0));
  const kind = kindOf(start);
  const place = h('div', { class: 'preview' });
  const save = h('button', { type: 'button', onclick: () => download(attribute, id, context).catch((error) => fill(place, failureView(error))) }, texts.row.download);
  if (['png', 'jpeg', 'gif', 'webp'].includes(kind)) showImage(place, id, attribute, kind, context).catch((error) => fill(place, failureView(error)));
  else if (kind === 'text' && size <= mostShown) fill(place, plainText(base64));
  else if (kind === 'plist') showPlain(place, attribute, id, context);
  else if (kind === 'data') fill(place, h('pre', { class: 'text' }, hexadecimal(start), size > start.length ? ' …' : ''));
  return h('div', {}, h('p', { class: 'quiet' }, texts.cell.data(kind, size), ' ', save), place);
}

function kindOf(start) {
  const text = String.fromCharCode(...start);
  if (text.startsWith('\x89PNG')) return 'png';
  if (start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff) return 'jpeg';
  if (text.startsWith('GIF8')) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.startsWith('bplist')) return 'plist';
  if (text.startsWith('%PDF-')) return 'pdf';
  return start.every((one) => one >= 32 || one === 9 || one === 10 || one === 13) ? 'text' : 'data';
}

/** What a property list or an archive holds, where that is texts, numbers, dates, lists and dictionaries. */
async function showPlain(place, attribute, id, { address, signal }) {
  try {
    const [plain] = await all(['page-plain', id, attribute], { store: address.store, signal });
    fill(place, plain === undefined ? h('p', { class: 'quiet' }, texts.row.notPlain) : h('pre', { class: 'text', tabindex: '0' }, JSON.stringify(plain, null, 2)));
  } catch (error) {
    if (!signal.aborted) fill(place, failureView(error));
  }
}

/** JSON with its lines broken; any other text as it is. */
function plainText(base64) {
  const whole = new TextDecoder().decode(Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)));
  try {
    return h('pre', { class: 'text', tabindex: '0' }, JSON.stringify(JSON.parse(whole), null, 2));
  } catch {
    return h('pre', { class: 'text', tabindex: '0' }, whole);
  }
}

function hexadecimal(start) {
  return [...start].map((one) => one.toString(16).padStart(2, '0')).join(' ');
}

async function download(attribute, id, { address, signal }) {
  const value = await bytes(['page-value', id, attribute], { store: address.store, signal });
  const url = URL.createObjectURL(value);
  const link = h('a', { href: url, download: `${id.replace('/', '-')}-${attribute}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
