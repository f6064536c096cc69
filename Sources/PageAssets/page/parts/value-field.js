// A field for a value of an attribute or of a to-one relationship, typed, and the word that it stands for.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { isShortID } from './plain-value.js';

const integers = { 'Integer 16': 2 ** 15, 'Integer 32': 2 ** 31 };
let count = 0;

/**
 * {element, name, word(), isChanged(), isUnfinished(), mark(message)}: word() is what insert and batch-update take, or undefined where
 * nothing is to be said.
 *
 * - property: an attribute or a to-one relationship of page-model.
 * - value: as `show` prints it; undefined where there is none yet.
 */
export function valueField(property, value) {
  const id = `value-${++count}`;
  const { name } = property;
  const isNew = value === undefined;
  const text = textOf(property, value);
  const input = inputOf(property, text);
  // As the browser writes it: a time without seconds, for example.
  const initial = input.value;
  input.id = id;
  const fault = h('p', { id: `${id}-fault`, class: 'field-fault', 'aria-live': 'polite' });
  input.setAttribute('aria-describedby', `${id}-fault`);
  const hasDefault = property.default != null;
  // Of a new row nothing said is the default, or NULL.
  const canBeNull = property.optional && (!isNew || hasDefault);
  const none = canBeNull && h('input', { type: 'checkbox', checked: value === null, onchange: () => { input.disabled = none.checked; } });
  input.disabled = Boolean(none?.checked);
  const element = h('div', { class: 'variable' },
    h('label', { for: id }, h('code', {}, name)),
    h('span', { class: 'type' }, property.type ?? property.destination, isNew && hasDefault ? ` ${texts.edit.default(property.default)}` : property.optional ? '' : ` ${texts.edit.required}`),
    h('span', { class: 'variable-input' }, input, property.type === 'Date' && h('span', { class: 'unit' }, 'UTC')),
    none ? h('label', { class: 'switch' }, none, ' ', texts.edit.none) : h('span', {}),
    fault);
  return {
    element, name,
    isChanged: () => (none?.checked ? value !== null : (value === null && canBeNull) || input.value !== initial),
    /** A date of which a part is missing: the browser gives no value for it. */
    isUnfinished: () => !input.disabled && input.validity.badInput,
    word() {
      if (none?.checked) return `${name}:=nil`;
      if (input.value === '' && (isNew || property.type !== 'String')) return isNew ? undefined : `${name}:=nil`;
      // Where a destination has a unique name, 'Team/p1' would be one.
      return `${name}=${property.destination && isShortID(input.value) ? `x-coredata:///${input.value}` : input.value}`;
    },
    mark(message) {
      fault.textContent = message ?? '';
      input.setAttribute('aria-invalid', String(Boolean(message)));
    },
  };
}

function textOf(property, value) {
  if (value == null) return '';
  if (property.type === 'Date') return String(value).replace(/Z$/, '');
  return String(value);
}

function inputOf({ type, destination }, text) {
  if (type in integers) return h('input', { type: 'number', step: '1', min: String(-integers[type]), max: String(integers[type] - 1), value: text });
  if (type === 'Boolean') {
    const select = h('select', {}, ['', 'true', 'false'].map((one) => h('option', { value: one }, one)));
    select.value = text;
    return select;
  }
  if (type === 'Date') return dateInput(text);
  if (type === 'String') return h('textarea', { rows: text.length > 60 || text.includes('\n') ? '4' : '1', value: text, spellcheck: 'false' });
  return h('input', { type: 'text', value: text, autocomplete: 'off', spellcheck: 'false', placeholder: destination ? `${destination}/p1` : '' });
}

/** A picker has milliseconds; what is finer, or before the year 1, stays a text. */
function dateInput(text) {
  const input = h('input', { type: 'datetime-local', step: '0.001', value: text });
  return text && !input.value ? h('input', { type: 'text', value: text, autocomplete: 'off' }) : input;
}

/** Those that a form can set: derived and transient ones are not stored by hand, data is not typed. */
export function settable(entity) {
  const attributes = entity.attributes.filter((one) => !one.transient && !one.derived && !['Binary', 'Transformable', 'Undefined'].includes(one.type) && !one.type.startsWith('Composite'));
  const toOnes = entity.relationships.filter((one) => !one.toMany && !one.transient);
  return [...attributes, ...toOnes];
}

/** Marks the fields in which something is typed by half; whether there are such. */
export function markUnfinished(fields) {
  const unfinished = fields.filter((field) => field.isUnfinished());
  for (const field of unfinished) field.mark(texts.edit.unfinished);
  return unfinished.length > 0;
}

/** Marks the fields that diagnostics name; returns those that name none. */
export function markFields(fields, diagnostics) {
  fields.forEach((field) => field.mark(''));
  return diagnostics.filter((one) => {
    const field = fields.find(({ name }) => one.message.includes(`'${name}'`));
    field?.mark(one.message);
    return !field;
  });
}
