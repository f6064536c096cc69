// The explanation of a request: its SQL, SQLite's plan, and the indexes that it uses or that are missing.

import { Failure, run } from '../api.js';
import { fill, h } from '../dom.js';
import { texts } from '../texts.js';
import { failureView } from './failure.js';

let count = 0;

/**
 * A button that opens a panel beside the request: {button, panel, outdated}.
 *
 * - words(): returns the arguments of the command to explain, without 'explain'.
 * - outdated(): must be called when the request has changed. An open panel is then updated after a short delay.
 */
export function explainPanel({ context, words }) {
  const id = `explain-${++count}`;
  const panel = h('section', { id, class: 'explain', hidden: true, 'aria-label': texts.explain.title });
  const button = h('button', { type: 'button', 'aria-expanded': 'false', 'aria-controls': id, onclick: toggle }, texts.explain.button);
  let request;
  let timer;
  context.signal?.addEventListener('abort', () => {
    clearTimeout(timer);
    request?.abort();
  });

  function toggle() {
    panel.hidden = !panel.hidden;
    button.setAttribute('aria-expanded', String(!panel.hidden));
    if (panel.hidden) request?.abort();
    else ask();
  }

  async function ask() {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    panel.setAttribute('aria-busy', 'true');
    const notes = [];
    try {
      const all = [];
      for await (const facts of run(['explain', ...words()], { store: context.address.store, signal, onNote: (note) => notes.push(note) })) all.push(facts);
      if (!signal.aborted) fill(panel, all.map(explanation), notes.filter((note) => note.code !== 'summary').map((note) => h('p', { class: 'quiet' }, note.message)));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      fill(panel, failureView(error));
    } finally {
      if (!signal.aborted) panel.removeAttribute('aria-busy');
    }
  }

  function outdated() {
    if (panel.hidden) return;
    clearTimeout(timer);
    timer = setTimeout(ask, 400);
  }

  return { button, panel, outdated };
}

function explanation({ sql, parameters, plan, indexes, scans, missingIndexes }) {
  return [
    h('h3', {}, texts.explain.sql),
    h('pre', { class: 'code', tabindex: '0', 'aria-label': texts.explain.sql }, brokenIntoLines(sql)),
    parameters?.length > 0 && h('p', { class: 'parameters' }, parameters.map((one) => h('span', {}, h('code', {}, one.parameter), ' = ', h('code', {}, one.value)))),
    h('h3', {}, texts.explain.plan),
    h('ul', { class: 'plan' }, (plan ?? []).map((step) => planStep(step, scans ?? []))),
    h('dl', { class: 'facts' },
      h('dt', {}, texts.explain.indexes),
      h('dd', {}, indexes?.length ? indexes.map((name) => h('code', { class: 'good' }, name)) : texts.explain.noIndex),
      missingIndexes?.length > 0 && [
        h('dt', {}, texts.explain.missing),
        h('dd', {}, missingIndexes.map((one) => h('code', { class: 'bad' }, typeof one === 'string' ? one : JSON.stringify(one)))),
      ]),
  ];
}

function planStep({ step, index }, scans) {
  const depth = step.length - step.trimStart().length;
  const reads = scans.some((scan) => scan.trim() === step.trim()) && !index;
  const item = h('li', { class: index ? 'good' : reads ? 'bad' : '' }, h('code', {}, step.trim()),
    reads && h('span', { class: 'quiet' }, texts.explain.scan));
  item.style.marginInlineStart = `${depth * 0.75}em`;
  return item;
}

/** Inserts a line break before each clause, except in quotes and parentheses. */
export function brokenIntoLines(sql) {
  let depth = 0;
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]|(?<!LEFT)\s+(?=(?:FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|LEFT JOIN|JOIN|SET|VALUES|UNION)\b)/g, (part) => {
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
    else if (!part.trim()) return depth ? part : '\n';
    return part;
  });
}
