// Changes of one row: its values, its members, and its deletion.

import { all } from '../api.js';
import { fill, h } from '../dom.js';
import { texts } from '../texts.js';
import { confirmByDryRun, isAccepted } from './dry-run.js';
import { failureView } from './failure.js';
import { isShortID, shortID } from './plain-value.js';
import { settable, valueField } from './value-field.js';
import { valueForm } from './value-form.js';
import { deletionSummary, linkSummary, updateSummary } from './write-summaries.js';

export const itself = (id) => `SELF == "x-coredata:///${id}"`;

/** Buttons that edit and delete a row. The form replaces them while the row is edited. */
export function rowEditor({ row, entity, context, onDone }) {
  const id = shortID(row.id);
  const place = h('div', { class: 'edit' });
  const where = `--where=${itself(id)}`;
  const buttons = () => fill(place, h('div', { class: 'buttons' },
    h('button', { type: 'button', onclick: edit }, texts.edit.edit),
    h('button', {
      type: 'button',
      onclick: () => confirmByDryRun({
        title: texts.write.deleteTitle(id), context, isDangerous: true, words: ['batch-delete', row.entity, where],
        summary: (facts) => deletionSummary(facts, context.model), onDone: () => context.go({ view: 'rows', name: row.entity }),
      }),
    }, texts.edit.delete)));

  function edit() {
    const values = valuesOf(row);
    const fields = settable(entity).map((property) => valueField(property, values.get(property.name) ?? null));
    const { form, forget } = valueForm({
      fields, context, onSubmit: submit, cancel: h('button', { type: 'button', onclick: leave }, texts.write.cancel),
    });
    fill(place, form);
    form.querySelector('input:not(:disabled), textarea:not(:disabled), select')?.focus();

    // Other programs may have changed the row.
    function leave() {
      forget();
      buttons();
      onDone();
    }

    async function submit(faults) {
      const changed = fields.filter((field) => field.isChanged() && field.word() !== undefined);
      if (!changed.length) return fill(faults, h('p', { class: 'note' }, texts.edit.unchanged));
      const words = ['batch-update', row.entity, where, '--', ...changed.map((field) => field.word())];
      if (!await isAccepted(words, { fields, faults, context })) return undefined;
      let before;
      try {
        // The form contains the values of when it was opened, so the current values are read.
        const [present] = await all(['show', id, '--members=1', '--describe-data'], { store: context.address.store, signal: context.signal });
        before = valuesOf(present);
      } catch (error) {
        return context.signal.aborted ? undefined : fill(faults, failureView(error));
      }
      return confirmByDryRun({
        title: texts.write.updateTitle(id), context, words,
        summary: (facts) => updateSummary(facts, changed.map((field) => ({
          word: field.word(), before: before.get(field.name), isOther: before.get(field.name) !== values.get(field.name),
        }))),
        onDone() {
          leave();
          place.querySelector('button').focus();
        },
      });
    }
  }

  if (context.remembered?.typed) edit();
  else buttons();
  return place;
}

/** The values that `show` prints, by the names of the attributes and to-one relationships. Data is described in words. */
function valuesOf(row) {
  return new Map([
    ...row.attributes.map(({ attribute, value }) => [attribute, value?.kind ? texts.cell.data(value.kind, value.bytes) : value]),
    ...row.relationships.map((one) => [one.relationship, shortID(one.first[0]) ?? null]),
  ]);
}

/** A field that links a row to this one, or removes a link. */
export function memberEditor({ relationship, row, id, context, onDone }) {
  const { name, destination } = relationship;
  const input = h('input', { type: 'text', placeholder: `${destination}/p1`, 'aria-label': texts.edit.member(name), autocomplete: 'off', spellcheck: 'false' });
  const fault = h('div', {});
  const act = (command, title) => () => {
    const member = shortID(input.value.trim()) ?? input.value.trim();
    if (!isShortID(member)) return fill(fault, h('p', { class: 'field-fault', role: 'alert' }, texts.edit.noMember(destination)));
    fill(fault);
    return confirmByDryRun({
      title: title(member), context, words: [command, '--', `${row.entity}.${name}`, itself(id), itself(member)],
      summary: linkSummary,
      onDone: () => {
        details.open = false;
        onDone();
      },
    });
  };
  const details = h('details', { class: 'members' }, h('summary', {}, texts.edit.members),
    h('div', { class: 'buttons' }, input,
      h('button', { type: 'button', onclick: act('link', texts.edit.linkTitle) }, texts.edit.link),
      h('button', { type: 'button', onclick: act('unlink', texts.edit.unlinkTitle) }, texts.edit.unlink)), fault);
  return details;
}
