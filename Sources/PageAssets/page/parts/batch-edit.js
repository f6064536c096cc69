// Buttons that change or delete all rows of a view, or insert a row.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { confirmByDryRun, isAccepted } from './dry-run.js';
import { settable, valueField } from './value-field.js';
import { deletionSummary, updateSummary } from './write-summaries.js';

/** Buttons to insert a row, and to change or delete the rows of the view. */
export function batchButtons({ entity, asked, context }) {
  const condition = [
    ...(asked.where ? [`--where=${asked.where}`] : []), ...(asked.only ? ['--no-subentities'] : []),
  ];
  const reload = () => context.again();
  return [
    !entity.abstract && h('a', { class: 'button', href: context.href({ view: 'insert', name: entity.name }) }, texts.write.insert),
    h('button', { type: 'button', onclick: () => chooseValues({ entity, where: asked.where, condition, context, onDone: reload }) }, texts.write.updateAll),
    h('button', {
      type: 'button',
      onclick: () => confirmByDryRun({
        title: texts.write.deleteTitle(entity.name), context, isDangerous: true, onDone: reload,
        words: ['batch-delete', entity.name, ...(asked.where ? condition : ['--all', ...condition])], summary: (facts) => deletionSummary(facts, context.model),
      }),
    }, texts.write.deleteAll),
  ].filter(Boolean);
}

function chooseValues({ entity, where, condition, context, onDone }) {
  const properties = settable(entity);
  const place = h('div', {});
  const faults = h('div', { role: 'alert' });
  let fields = [];
  const add = (property) => {
    const field = valueField(property, property.type === 'Boolean' ? 'false' : '');
    fields.push(field);
    field.element.querySelector('.variable-input').append(h('button', {
      type: 'button', class: 'small', 'aria-label': texts.write.leaveOut(property.name), title: texts.write.leaveOut(property.name),
      onclick: () => {
        fields = fields.filter((one) => one !== field);
        field.element.remove();
        choice.focus();
      },
    }, '×'));
    place.append(field.element);
    faults.replaceChildren();
    field.element.querySelector('input:not([type=checkbox]), textarea, select').focus();
  };
  const choice = h('select', { 'aria-label': texts.write.attribute }, properties.map((one) => h('option', { value: one.name }, one.name)));
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'values-title' },
    h('h2', { id: 'values-title' }, texts.write.updateTitle(entity.name)),
    h('p', { class: 'quiet' }, where ? texts.write.condition(where) : texts.write.everyRow),
    h('p', {}, choice, ' ', h('button', {
      type: 'button',
      onclick: () => {
        if (fields.some((one) => one.name === choice.value)) return;
        add(properties.find((one) => one.name === choice.value));
      },
    }, texts.write.add)),
    place, faults,
    h('div', { class: 'buttons' },
      h('button', { type: 'button', class: 'primary', onclick: next }, texts.write.next),
      h('button', { type: 'button', onclick: () => dialog.close() }, texts.write.cancel)));
  const closing = new AbortController();
  dialog.addEventListener('close', () => {
    closing.abort();
    dialog.remove();
  });
  context.signal.addEventListener('abort', () => dialog.close(), { signal: closing.signal });
  document.body.append(dialog);
  dialog.showModal();

  async function next() {
    const values = fields.map((field) => field.word()).filter(Boolean);
    if (!values.length) {
      faults.replaceChildren(h('p', { class: 'field-fault' }, texts.write.addFirst));
      choice.focus();
      return;
    }
    const words = ['batch-update', entity.name, ...condition, '--', ...values];
    if (!await isAccepted(words, { fields, faults, context })) return;
    // The dialog covers the values, so they are visible again after it is canceled.
    confirmByDryRun({
      title: texts.write.updateTitle(entity.name), context, words, summary: (facts) => updateSummary(facts, values.map((word) => ({ word }))),
      onDone() {
        dialog.close();
        onDone();
      },
    });
  }
}
