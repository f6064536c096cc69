// Marks the errors in a text. Diagnostics count in Unicode scalars from 1, JavaScript in UTF-16.

import { h } from '../dom.js';

/** The ranges to mark, as UTF-16 positions in ascending order. They don't overlap. */
export function marksOf(diagnostics, text) {
  const scalars = [...text];
  const position = (column) => scalars.slice(0, column).join('').length;
  const marks = [];
  const ranges = diagnostics
    // An excerpt of another text, such as --sort, can't be marked in this one.
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

/** Whether the error is at the end of the text, so that the text may only be incomplete. */
export function incompleteAt({ excerpt }, text) {
  return excerpt != null && excerpt.column - 1 >= [...excerpt.text.trimEnd()].length && excerpt.text.trim() === text.trim();
}

/** The text with its marks, as nodes. A mark after the end of the text is as wide as a space. */
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
