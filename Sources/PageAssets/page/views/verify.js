// Shows the findings of `verify` in groups, with the affected rows and the remedies.

import { Failure, all, run } from '../api.js';
import { fill, h } from '../dom.js';
import { commandToRun } from '../parts/command-to-run.js';
import { confirmByDryRun } from '../parts/dry-run.js';
import { diagnosticView, failureView } from '../parts/failure.js';
import { objectLink, shortID } from '../parts/plain-value.js';
import { texts } from '../texts.js';

export default {
  title: () => texts.verify.title,

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
        const { findings, summary, notes } = await findingsOf(context, signal, (ms) => { status.textContent = texts.verify.running(ms); });
        status.textContent = '';
        const others = notes.map(diagnosticView);
        if (!findings.length) return fill(list, others, h('p', { class: 'empty' }, summary));
        status.textContent = summary;
        const groups = groupsOf(findings, context);
        fill(list, others, groups.map(({ section }) => section));
        const repaired = await repairable(context, signal);
        if (repaired.length) list.append(repairView(groups, repaired, context, check));
      } catch (error) {
        if (context.signal.aborted) return undefined;
        status.textContent = signal.aborted ? texts.verify.stopped : '';
        if (signal.aborted) return undefined;
        if (!(error instanceof Failure)) throw error;
        fill(list, failureView(error));
      } finally {
        button.textContent = texts.verify.again;
        button.onclick = check;
        element.removeAttribute('aria-busy');
      }
    }
    // The view is complete without waiting for the findings.
    check().catch((error) => fill(list, failureView(error)));
  },
};

async function findingsOf({ address }, signal, onProgress) {
  const findings = [];
  let summary = '';
  const notes = [];
  const words = run(['verify'], {
    store: address.store, signal, onProgress: (progress) => onProgress(progress.ms),
    onNote: (note) => {
      if (note.code === 'summary') summary = note.message;
      else notes.push(note);
    },
  });
  for await (const finding of words) findings.push(finding);
  return { findings, summary, notes };
}

/** The findings by code, errors before warnings, in the order in which they were found: [{findings, section}]. */
function groupsOf(findings, context) {
  const groups = new Map();
  for (const severity of ['error', 'warning']) {
    for (const finding of findings.filter((one) => one.severity === severity)) {
      if (!groups.has(finding.code)) groups.set(finding.code, []);
      groups.get(finding.code).push({ ...finding, item: findingView(finding, context) });
    }
  }
  return [...groups].map(([code, list]) => ({ findings: list, section: groupView(code, list) }));
}

function groupView(code, findings) {
  const { severity } = findings[0];
  return h('section', { class: `finding-group ${severity}` },
    h('h2', {}, h('span', { class: `kind ${severity}` }, texts.verify.severities[severity]), ' ',
      texts.verify.codes[code] ?? code, ' ', h('code', { class: 'quiet' }, code)),
    h('ul', {}, findings.map(({ item }) => item)),
    h('p', { class: 'remedy' }, texts.verify.byHand[code] ?? texts.verify.byHand.other));
}

function findingView({ code, message, count, examples = [] }, context) {
  // A row with an entity that doesn't belong to its table can't be shown as an object.
  const isShown = (example) => shortID(example) && code !== 'verify.wrong-entity';
  return h('li', {}, message,
    examples.length > 0 && h('ul', { class: 'examples', 'aria-label': texts.verify.examples }, examples.map((example) => h('li', {}, isShown(example) ? objectLink(example, context) : h('code', {}, shortID(example) ?? String(example)))),
      count > examples.length && h('li', { class: 'quiet' }, texts.verify.moreRows(count - examples.length))));
}

/** The findings that a repair would fix. Empty if this can't be determined, for example without the model. */
async function repairable({ address }, signal) {
  try {
    const outcome = await all(['verify', '--repair', '--dry-run'], { store: address.store, signal });
    return outcome.filter((finding) => finding.repaired);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [];
  }
}

/** Marks the findings that a repair fixes, and returns the section with the repair. */
function repairView(groups, repaired, context, onDone) {
  const messages = new Set(repaired.map(({ message }) => message));
  for (const { findings, section } of groups) {
    const mended = findings.filter(({ message }) => messages.has(message));
    for (const { item } of mended) item.append(' ', h('span', { class: 'mended' }, texts.verify.mended));
    if (mended.length === findings.length) section.querySelector('.remedy').remove();
  }
  return h('section', {}, h('h2', {}, texts.verify.repairTitle), h('p', { class: 'quiet' }, texts.verify.repairNote),
    context.page.writable ? repairButton(context, onDone) : commandToRun(['verify', '--repair', '--dry-run'], context));
}

function repairButton(context, onDone) {
  return h('button', {
    type: 'button',
    onclick: () => confirmByDryRun({
      title: texts.verify.repairTitle, words: ['verify', '--repair'], context, summary: repairSummary, onDone,
    }),
  }, texts.verify.repair);
}

function repairSummary(outcome) {
  const left = outcome.filter(({ repaired }) => !repaired).length;
  return {
    content: [
      h('ul', {}, outcome.filter(({ repaired }) => repaired).map(({ message }) => h('li', {}, message))),
      left > 0 && h('p', {}, texts.verify.left(left)),
    ],
    changesNothing: left === outcome.length,
  };
}
