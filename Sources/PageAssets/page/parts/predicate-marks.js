// Marks the errors in a text. Diagnostics count in Unicode scalars from 1, JavaScript in UTF-16.

import { h } from '../dom.js';

/** Ranges of UTF-16 positions, in their order, none upon another. */
export function marksOf(diagnostics, text) {
  const scalars = [...text];
  const position = (column) => scalars.slice(0, column).join('').length;
  const marks = [];
  const ranges = diagnostics
    // An excerpt of another text, say of --sort, has no place in this one.
    .filter((one) => one.severity !== 'note' && one.excerpt?.text.trim() === text.trim())
    .map(({ excerpt }) => {
      const shift = scalars.length - [...text.trimStart()].length;
      const own = excerpt.text === text ? 0 : shift;
      const start = excerpt.column - 1 + own;
      return { start: position(start), end: position(start + excerpt.length) };
    })
    .sort((a, b) => a.start - b.start);
  for (const range of ranges) {
    if (!marks.length || range.start >= marks.at(-1).end) marks.push(range);
  }
  return marks;
}

/** Whether the mistake is that the text ends too early. */
export function incompleteAt({ excerpt }, text) {
  return excerpt != null && excerpt.column - 1 >= [...excerpt.text.trimEnd()].length && excerpt.text.trim() === text.trim();
}

/** The text with its marks, as nodes. A mark behind the end is as wide as a letter. */
export function shownWith(text, marks) {
  const nodes = [];
  let position = 0;
  for (const { start, end } of marks) {
    nodes.push(text.slice(position, start));
    nodes.push(h('mark', {}, start < end ? text.slice(start, end) : text.slice(start, start + 1) || '\u00a0'));
    position = Math.max(end, Math.min(start + 1, text.length), position);
  }
  return [...nodes, text.slice(position)];
}
