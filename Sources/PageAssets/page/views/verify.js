// What `verify` finds in the store: grouped by kind, with the rows it is about and what to do.

import { Failure, run } from '../api.js';
import { fill, h } from '../dom.js';
import { commandToRun } from '../parts/command-to-run.js';
import { failureView } from '../parts/failure.js';
import { objectLink, shortID } from '../parts/plain-value.js';
import { texts } from '../texts.js';

export default {
  title: (address, all_) => all_.verify.title,

  async show(element, context) {
    context.command(['verify']);
    const status = h('p', { class: 'summary', role: 'status' });
    const button = h('button', { type: 'button' });
    const list = h('div', { class: 'findings' });
    element.append(h('div', { class: 'toolbar' }, button, status), list);

    let stopper;
    context.signal.addEventListener('abort', () => stopper?.abort());

    async function check() {
      stopper = new AbortController();
      const { signal } = stopper;
      button.textContent = texts.verify.stop;
      button.onclick = () => stopper.abort();
      list.replaceChildren();
      status.textContent = texts.verify.running(0);
      element.setAttribute('aria-busy', 'true');
      try {
        const { findings, summary } = await findingsOf(context, signal, (ms) => { status.textContent = texts.verify.running(ms); });
        status.textContent = summary;
        fill(list, findings.length ? [groupsView(findings, context), repairView(findings, context)] : h('p', { class: 'empty good' }, texts.verify.nothing));
      } catch (error) {
        if (context.signal.aborted) return;
        status.textContent = signal.aborted ? texts.verify.stopped : '';
        if (signal.aborted) return;
        if (!(error instanceof Failure)) throw error;
        fill(list, failureView(error));
      } finally {
        button.textContent = texts.verify.again;
        button.onclick = check;
        element.removeAttribute('aria-busy');
      }
    }
    // The page need not wait for it.
    check().catch((error) => fill(list, failureView(error)));
  },
};

async function findingsOf({ address }, signal, onProgress) {
  const findings = [];
  let summary = '';
  const words = run(['verify'], {
    store: address.store, signal, onProgress: (progress) => onProgress(progress.ms),
    onNote: (note) => { if (note.code === 'summary') summary = note.message; },
  });
  for await (const finding of words) findings.push(finding);
  return { findings, summary };
}

/** Errors before warnings, kinds in the order in which they were found. */
function groupsView(findings, context) {
  const groups = new Map();
  for (const severity of ['error', 'warning']) {
    for (const finding of findings.filter((one) => one.severity === severity)) {
      if (!groups.has(finding.code)) groups.set(finding.code, []);
      groups.get(finding.code).push(finding);
    }
  }
  return [...groups].map(([code, list]) => h('section', { class: `finding-group ${list[0].severity}` },
    h('h2', {}, h('span', { class: `kind ${list[0].severity}` }, texts.verify.severities[list[0].severity]), ' ',
      texts.verify.codes[code] ?? code, ' ', h('code', { class: 'quiet' }, code)),
    h('ul', {}, list.map((finding) => findingView(finding, context))),
    h('p', { class: 'remedy' }, texts.verify.repaired.includes(code) ? texts.verify.repair : texts.verify.byHand[code] ?? texts.verify.byHand.other)));
}

function findingView({ message, count, examples = [] }, context) {
  return h('li', {}, message,
    examples.length > 0 && h('ul', { class: 'examples', 'aria-label': texts.verify.examples }, examples.map((example) => h('li', {}, shortID(example) ? objectLink(example, context) : h('code', {}, String(example)))),
      count > examples.length && h('li', { class: 'quiet' }, texts.verify.moreRows(count - examples.length))));
}

function repairView(findings, context) {
  if (!findings.some((one) => texts.verify.repaired.includes(one.code))) return null;
  return h('section', {}, h('h2', {}, texts.verify.repairTitle), h('p', { class: 'quiet' }, texts.verify.repairNote),
    commandToRun(['verify', '--repair', '--dry-run'], context));
}
