// A field for the value of an attribute or to-one relationship, and the command's argument for the value.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { dateInput } from './date-input.js';
import { columnsOf, isData } from './key-paths.js';
import { isShortID } from './plain-value.js';

const integers = { 'Integer 16': 2 ** 15, 'Integer 32': 2 ** 31 };
let count = 0;
/** The maximum size of a file, whose base64 form must fit into a request. */
const mostBytes = 700_000;

/**
 * {element, name, word(), isChanged(), isUnfinished(), mark(message), draft(), restore(draft)}. word() is an argument of insert and
 * batch-update, or undefined if the field has no value to set. A draft is the current input, for restore().
 *
 * - property: an attribute or a to-one relationship of page-model.
 * - value: the value that `show` prints, or undefined for a new row.
 */
export function valueField(property, value) {
  const id = `value-${++count}`;
  const { name } = property;
  const isNew = value === undefined;
  const fault = h('p', { id: `${id}-fault`, class: 'field-fault', 'aria-live': 'polite' });
  const entry = property.type === 'Binary' ? fileEntry(mark) : textEntry(property, value);
  const { input } = entry;
  input.id = id;
  input.setAttribute('aria-describedby', `${id}-fault`);
  const hasDefault = property.default != null;
  // If an attribute of a new row isn't set, its value is the default or NULL. A switch for NULL is only necessary with a default.
  const canBeNull = property.optional && (!isNew || hasDefault);
  const none = canBeNull ? instead(texts.edit.none, value === null) : undefined;
  const empty = isNew && property.type === 'String' ? instead(texts.edit.empty, false) : undefined;
  const switches = [none, empty].filter(Boolean);
  const update = () => { input.disabled = switches.some((one) => one.box.checked); };
  update();
  const element = h('div', { class: 'variable' },
    h('label', { for: id }, h('code', {}, name)),
    h('span', { class: 'type' }, property.type ?? property.destination, isNew && hasDefault ? ` ${texts.edit.default(property.default)}` : property.optional ? '' : ` ${texts.edit.required}`, rulesOf(property)),
    h('span', { class: 'variable-input' }, input, property.type === 'Date' && h('span', { class: 'unit' }, 'UTC')),
    h('span', { class: 'switches' }, switches.map((one) => one.label)),
    fault);

  /** A checkbox that replaces the input. At most one of them is checked. */
  function instead(text, isChecked) {
    const box = h('input', {
      type: 'checkbox', checked: isChecked,
      onchange: () => {
        for (const other of switches) if (other.box !== box) other.box.checked = false;
        update();
      },
    });
    return { box, label: h('label', { class: 'switch' }, box, ' ', text) };
  }

  function mark(message) {
    fault.textContent = message ?? '';
    input.setAttribute('aria-invalid', String(Boolean(message)));
  }

  return {
    element, name, mark,
    isChanged: () => (none?.box.checked ? value !== null : (value === null && canBeNull) || entry.isChanged()),
    isUnfinished: () => !input.disabled && entry.isUnfinished(),
    word() {
      if (none?.box.checked) return `${name}:=nil`;
      if (empty?.box.checked) return `${name}=`;
      const text = entry.text();
      if (text === undefined) return undefined;
      if (text === '' && property.type !== 'Binary' && (isNew || property.type !== 'String')) return isNew ? undefined : `${name}:=nil`;
      // If the destination has a unique attribute, 'Team/p1' would be one of its values.
      return `${name}=${property.destination && isShortID(text) ? `x-coredata:///${text}` : text}`;
    },
    draft: () => ({ text: entry.draft(), checked: switches.map((one) => one.box.checked) }),
    restore({ text, checked }) {
      entry.restore(text);
      switches.forEach((one, index) => { one.box.checked = checked[index]; });
      update();
    },
  };
}

/** {input, text(), isChanged(), isUnfinished(), draft(), restore(draft)}. text() is the text of the input. */
function textEntry(property, value) {
  const input = inputOf(property, value == null ? '' : String(value));
  // The browser can change the value, for example omit the seconds of a time.
  const initial = input.value;
  const hasReturns = typeof value === 'string' && value.includes('\r\n');
  return {
    input,
    // A text area removes carriage returns.
    text: () => (hasReturns ? input.value.replace(/\n/g, '\r\n') : input.value),
    isChanged: () => input.value !== initial,
    /** Whether a part of a date is missing. The browser then returns an empty value. */
    isUnfinished: () => input.validity.badInput,
    draft: () => input.value,
    restore: (text) => { input.value = text; },
  };
}

/** An input with the methods of textEntry for a file whose bytes become the value. It has no draft, because a page can't select a file again. */
function fileEntry(mark) {
  let base64;
  let isReading = false;
  const input = h('input', {
    type: 'file',
    onchange: async () => {
      const [file] = input.files;
      base64 = undefined;
      mark(file?.size > mostBytes ? texts.edit.tooLarge(mostBytes) : '');
      if (file?.size > mostBytes) input.value = '';
      if (!input.files.length) return;
      isReading = true;
      try {
        base64 = base64Of(new Uint8Array(await file.arrayBuffer()));
        input.dispatchEvent(new Event('input', { bubbles: true }));
      } catch (error) {
        mark(error.message);
      }
      isReading = false;
    },
  });
  return { input, text: () => base64, isChanged: () => base64 !== undefined, isUnfinished: () => isReading, draft: () => undefined, restore() {} };
}

function base64Of(bytes) {
  let text = '';
  for (let start = 0; start < bytes.length; start += 8192) text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
}

/** The validation rules of a value. */
function rulesOf({ type, minimum, maximum, pattern }) {
  const rules = [minimum != null && texts.edit.atLeast(minimum, type), maximum != null && texts.edit.atMost(maximum, type), pattern && texts.edit.pattern(pattern)].filter(Boolean);
  return rules.length > 0 && h('span', { class: 'rules' }, rules.join(', '));
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

/** The properties that a form can set. Derived attributes are computed, and archives depend on the app's classes. */
export function settable(entity) {
  return columnsOf(entity).filter((one) => !one.derived && (one.type === 'Binary' || !isData(one.type)));
}

/** Marks the fields with incomplete input. Returns whether there are any. */
export function markUnfinished(fields) {
  const unfinished = fields.filter((field) => field.isUnfinished());
  for (const field of unfinished) field.mark(texts.edit.unfinished);
  return unfinished.length > 0;
}

/** Shows diagnostics at the fields that they name. Returns the diagnostics that don't name a field. */
export function markFields(fields, diagnostics) {
  fields.forEach((field) => field.mark(''));
  return diagnostics.filter((one) => {
    const field = fields.find(({ name }) => one.message.includes(`'${name}'`));
    field?.mark(one.message);
    return !field;
  });
}
