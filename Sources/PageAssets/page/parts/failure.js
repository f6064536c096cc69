// Shows the errors of a command with their locations and remedies.

import { Failure } from '../api.js';
import { h } from '../dom.js';
import { texts } from '../texts.js';

/** Object IDs. Messages show their short form, because all of them belong to the same store. */
const objectIDs = /x-coredata:\/\/[^/\s]*\/([^/\s]+\/p\d+)/g;

/**
 * An alert for an error of a view. An error that isn't a Failure is a bug of the page, or the server can't be reached.
 *
 * - onAgain: tries again, if this can help. For example, the store may have been locked.
 */
export function failureView(error, onAgain) {
  const diagnostics = error instanceof Failure ? error.diagnostics : [unexpected(error)];
  return h('div', { class: 'failure', role: 'alert' },
    h('h2', {}, texts.failure.title),
    diagnostics.map(diagnosticView),
    onAgain && h('button', { type: 'button', onclick: () => onAgain() }, texts.failure.again));
}

function unexpected(error) {
  const isLost = error instanceof TypeError && /fetch|network|load/i.test(error.message);
  return isLost
    ? { severity: 'error', message: texts.page.gone, help: [texts.page.goneHelp] }
    : { severity: 'error', message: String(error?.message ?? error), help: [] };
}

/** A diagnostic: its message, its excerpt with the marked range, and its help. */
export function diagnosticView(diagnostic) {
  const { message, code, file, line, excerpt, help = [], notes = [] } = diagnostic;
  // Help about the usage of the command line doesn't apply to the page.
  const sentences = help.filter((sentence) => code !== 'usage' || !/^(Usage:|See ')/.test(sentence));
  return h('div', { class: `diagnostic ${diagnostic.severity}` },
    h('p', {}, message.replaceAll(objectIDs, '$1'), ' ', code && h('code', { class: 'quiet' }, code)),
    file && h('p', { class: 'quiet' }, line ? texts.failure.at(file, line) : file),
    excerpt && excerptView(excerpt, notes),
    sentences.length > 0 && h('ul', {}, sentences.map((sentence) => h('li', {}, sentence))));
}

/** Columns are counted in Unicode scalars, as `for…of` counts them. */
function excerptView({ text, column, length }, notes) {
  const scalars = [...text];
  const part = (from, to) => scalars.slice(from, to).join('');
  const start = column - 1;
  return h('pre', { class: 'code excerpt' },
    part(0, start), h('mark', {}, part(start, start + length) || ' '), part(start + length),
    notes.length > 0 && h('span', { class: 'quiet' }, `  ${notes.join(', ')}`));
}
