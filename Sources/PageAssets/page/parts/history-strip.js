// The number of changes of each transaction of a page, as bars in chronological order.

import { h, s } from '../dom.js';
import { texts } from '../texts.js';

const kinds = ['inserts', 'updates', 'deletes'];
const height = 40;

/** The numbers of changes, such as +3 ~2 −1, with words for screen readers. */
export function changeCounts(transaction) {
  const signs = { inserts: '+', updates: '~', deletes: '−' };
  return h('span', { class: 'change-counts' }, kinds.filter((kind) => transaction[kind] > 0).map((kind) => h('span', { class: kind.slice(0, -1) },
    h('span', { 'aria-hidden': 'true' }, signs[kind] + transaction[kind].toLocaleString('en-US')),
    h('span', { class: 'visually-hidden' }, texts.history.counted[kind](transaction[kind])))));
}

/** The height of a bar is the square root of the number, so that other bars remain visible next to a large import. */
export function historyStrip(transactions) {
  if (transactions.length < 2) return null;
  const ordered = [...transactions].reverse();
  const total = (one) => kinds.reduce((sum, kind) => sum + one[kind], 0);
  const most = Math.sqrt(Math.max(1, ...ordered.map(total)));
  const svg = s('svg', { class: 'history-strip', viewBox: `0 0 ${ordered.length * 10} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': texts.history.strip(transactions.length) },
    ordered.map((one, index) => bar(one, index * 10, (Math.sqrt(total(one)) / most) * height, total(one))));
  svg.style.maxWidth = `${ordered.length * 1.4}rem`;
  return svg;
}

function bar(transaction, x, whole, total) {
  let y = height;
  return kinds.filter((kind) => transaction[kind] > 0).map((kind) => {
    const part = (transaction[kind] / total) * whole;
    y -= part;
    return s('rect', { class: kind.slice(0, -1), x: x + 1, y, width: 8, height: part }, s('title', {}, `${transaction.transaction}: ${texts.history.counted[kind](transaction[kind])}`));
  });
}
