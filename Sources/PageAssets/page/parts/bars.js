// Bars that compare numbers. The text contains the numbers.

import { s } from '../dom.js';

/** {least, most} of values, zero among them; isEmpty where none is a number. */
export function scaleOf(values) {
  const numbers = values.map(numberOf).filter((value) => value !== undefined);
  return { least: Math.min(0, ...numbers), most: Math.max(0, ...numbers), isEmpty: !numbers.length };
}

/** Numbers that JavaScript would round come as texts, which are right enough for a bar. */
function numberOf(value) {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d[\d.]{15,}$/.test(value) ? Number(value) : undefined;
}

/** A bar of one line of a table; scale is {least, most} of all of its lines, with zero between. */
export function barCell(value, { least, most, isEmpty }) {
  if (isEmpty) return null;
  const span = most - least || 1;
  const number = numberOf(value) ?? 0;
  const start = (Math.min(0, number) - least) / span;
  const length = Math.abs(number) / span;
  return s('svg', { class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    s('rect', { class: number < 0 ? 'negative' : 'positive', x: start * 100, y: 0, width: Math.max(length * 100, number ? 0.5 : 0), height: 10 }),
    least < 0 && s('line', { x1: (-least / span) * 100, x2: (-least / span) * 100, y1: 0, y2: 10 }));
}
