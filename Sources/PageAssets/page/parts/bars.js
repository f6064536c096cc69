// Bars that compare numbers. The text contains the numbers.

import { s } from '../dom.js';

/** {least, most, isEmpty}: the range of the values and zero, and whether none of them is a number. */
export function scaleOf(values) {
  const numbers = values.map(numberOf).filter((value) => value !== undefined);
  return { least: Math.min(0, ...numbers), most: Math.max(0, ...numbers), isEmpty: !numbers.length };
}

/** The number of a value, or undefined. Numbers that JavaScript would round are strings, but are exact enough for a bar. */
function numberOf(value) {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d[\d.]{15,}$/.test(value) ? Number(value) : undefined;
}

/** The bar of a value in a table, on the scale of all of its rows (scaleOf). */
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
