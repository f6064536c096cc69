// Shows the dry run of a command and the button that runs it.

import { Failure, all, run } from '../api.js';
import { fill, h } from '../dom.js';
import { texts } from '../texts.js';
import { commandLine } from './command.js';
import { diagnosticView, failureView } from './failure.js';
import { markFields, markUnfinished } from './value-field.js';

/**
 * Opens a dialog that shows the dry run of a command, and runs the command after confirmation.
 *
 * - words: the arguments of the command, without --dry-run.
 * - summary(facts): returns {content, changesNothing, count} for the output of the dry run.
 * - onDone(facts): called with the output of the command when it has succeeded.
 * - isDangerous: whether the command deletes rows.
 */
export function confirmByDryRun({ title, words, context, summary, onDone, isDangerous = false }) {
  const { address, page } = context;
  const closing = new AbortController();
  const signal = AbortSignal.any([context.signal, closing.signal]);
  const store = { store: address.store, signal };
  const body = h('div', { class: 'dry-run' });
  const confirm = h('button', { type: 'button', class: isDangerous ? 'danger' : 'primary', disabled: true, onclick: write }, isDangerous ? texts.write.confirmDeletion : texts.write.confirm);
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'dialog-title' },
    h('h2', { id: 'dialog-title' }, title), body,
    h('div', { class: 'buttons' }, confirm, h('button', { type: 'button', onclick: () => dialog.close() }, texts.write.cancel)));
  let ticket;
  let confirmed = words;
  // Closing the dialog ends the running command. An incomplete write is rolled back.
  dialog.addEventListener('close', () => {
    closing.abort();
    dialog.remove();
  });
  context.signal.addEventListener('abort', () => dialog.close(), { signal: closing.signal });
  document.body.append(dialog);
  dialog.showModal();
  check();

  async function check() {
    fill(body, h('p', { class: 'quiet' }, texts.write.checking));
    const notes = [];
    try {
      const facts = [];
      for await (const line of run(withOption(words, '--dry-run'), { ...store, onNote: (note) => { if (note.code !== 'summary') notes.push(note); }, onEnd: (end) => { ticket = end.ticket; } })) facts.push(line);
      const { content, changesNothing, count } = summary(facts);
      // The command fails if another program has changed the number of rows since the dry run.
      if (count !== undefined) confirmed = withOption(words, `--expect=${count}`);
      fill(body, content, notes.map(diagnosticView), h('details', {}, h('summary', {}, texts.command.show), h('pre', { class: 'code', tabindex: '0', 'aria-label': texts.command.show }, commandLine(words, page.stores[address.store]))));
      confirm.disabled = !ticket || changesNothing;
      if (!confirm.disabled) confirm.focus();
    } catch (error) {
      show(error);
    }
  }

  async function write() {
    confirm.disabled = true;
    try {
      const facts = [];
      for await (const line of run(confirmed, { ...store, ticket })) facts.push(line);
      context.say(texts.write.done);
      dialog.close();
      onDone(facts);
    } catch (error) {
      show(error);
    }
  }

  function show(error) {
    if (signal.aborted) return;
    fill(body, failureView(error, check));
    confirm.disabled = true;
  }
}

/** Inserts an option, which must come before the values. */
function withOption(words, option) {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.toSpliced(end, 0, option);
}

/**
 * Whether the dry run of a form's command succeeds. Errors are shown at their fields, other errors in `faults`.
 */
export async function isAccepted(words, { fields, faults, context }) {
  if (markUnfinished(fields)) return false;
  try {
    await all(withOption(words, '--dry-run'), { store: context.address.store, signal: context.signal });
  } catch (error) {
    if (context.signal.aborted) return false;
    fill(faults, error instanceof Failure ? markFields(fields, error.diagnostics).map(diagnosticView) : failureView(error));
    return false;
  }
  fill(faults);
  markFields(fields, []);
  return true;
}
