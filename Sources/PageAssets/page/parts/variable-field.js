// A field for a variable of a template. It depends on the type that the variable is compared with.

import { all } from '../api.js';
import { h } from '../dom.js';
import { texts } from '../texts.js';
import { dateInput } from './date-input.js';
import { shortID } from './plain-value.js';

const integers = { 'Integer 16': 2 ** 15, 'Integer 32': 2 ** 31 };
const numbers = ['Double', 'Float', 'Decimal'];
const rowsToOffer = 50;
let count = 0;

/**
 * A line of a form: {element, name, word(), state(), mark(message)}.
 *
 * - variable: {name, type} in the output of `templates`.
 * - state: the previous state {text, isExpression}, or undefined.
 * - onChange: called after input or a choice.
 */
export function variableField({ variable, state, context, onChange }) {
  const { name, type } = variable;
  const id = `variable-${++count}`;
  const fault = h('p', { id: `${id}-fault`, class: 'field-fault', 'aria-live': 'polite' });
  const isExpression = h('input', { type: 'checkbox', id: `${id}-expression`, checked: state.isExpression === true });
  const place = h('span', { class: 'variable-input' });
  let input;

  function build(text) {
    input = isExpression.checked ? plain(text, texts.templates.expressionHint) : inputOf(type, text, { id, context });
    input.id = id;
    input.setAttribute('aria-describedby', `${id}-type ${id}-fault`);
    input.addEventListener('input', onChange);
    place.replaceChildren(input, ...(input.extra ?? []));
  }
  build(state.text ?? '');
  isExpression.addEventListener('change', () => {
    build(isExpression.checked ? asExpression(type, input.value) : '');
    input.focus();
    onChange();
  });

  const element = h('div', { class: 'variable' },
    h('label', { for: id }, h('code', {}, `$${name}`)),
    h('span', { id: `${id}-type`, class: 'type' }, type ?? texts.templates.anyType),
    place,
    h('label', { class: 'switch', title: texts.templates.expressionHelp }, isExpression, ' ', texts.templates.expression),
    fault);

  return {
    element,
    name,
    state: () => ({ text: input.value, isExpression: isExpression.checked }),
    word: () => wordOf(name, type, input.value, isExpression.checked),
    mark(message) {
      fault.textContent = message ?? '';
      input.setAttribute('aria-invalid', String(Boolean(message)));
    },
  };
}

/** The argument of the command, or undefined if the variable has no value. */
export function wordOf(name, type, text, isExpression) {
  if (isExpression) return text.trim() ? `${name}:=${text}` : undefined;
  const list = elementType(type);
  if (list) return text.trim() ? `${name}:=${listText(text, list)}` : undefined;
  if (text === '' && type !== 'String') return undefined;
  return `${name}=${text}`;
}

function elementType(type) {
  return /^list of (.+)$/.exec(type ?? '')?.[1];
}

/** A list such as {1, 2} from lines or values separated by commas. Texts are quoted. */
function listText(text, type) {
  const isNumber = numbers.includes(type) || type.startsWith('Integer');
  const parts = text.split(/[\n,]/).map((part) => part.trim()).filter(Boolean);
  return `{${parts.map((part) => (isNumber || type === 'Boolean' ? part : `"${part.replace(/["\\]/g, '\\$&')}"`)).join(', ')}}`;
}

function asExpression(type, text) {
  const list = elementType(type);
  if (list) return text.trim() ? listText(text, list) : 'nil';
  if (text === '') return 'nil';
  return numbers.includes(type) || type?.startsWith('Integer') || type === 'Boolean' ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function inputOf(type, text, { id, context }) {
  if (type in integers) {
    return h('input', { type: 'number', step: 1, min: -integers[type], max: integers[type] - 1, value: text });
  }
  if (type === 'Integer 64') return h('input', { type: 'text', inputmode: 'numeric', value: text, autocomplete: 'off' });
  if (numbers.includes(type)) return h('input', { type: 'text', inputmode: 'decimal', value: text, autocomplete: 'off' });
  if (type === 'Boolean') return choice(['', 'true', 'false'], text);
  if (type === 'Date') return dateField(text);
  if (elementType(type)) return plain(text, texts.templates.listHint);
  const entity = /^object of '(.+)'$/.exec(type ?? '')?.[1];
  if (entity) return objectInput(entity, text, { id, context });
  return plain(text, '');
}

function plain(text, placeholder) {
  return h('input', { type: 'text', value: text, placeholder, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
}

function choice(values, text) {
  const select = h('select', {}, values.map((value) => h('option', { value }, value)));
  select.value = text;
  return select;
}

/** A date input with the label UTC, because the command reads dates as UTC. */
function dateField(text) {
  const input = dateInput(text);
  input.extra = [h('span', { class: 'unit' }, 'UTC')];
  return input;
}

/** An input for an object ID, which suggests the first rows of the entity. */
function objectInput(entity, text, { id, context }) {
  const list = h('datalist', { id: `${id}-rows` });
  const input = plain(text, `${entity}/p1`);
  input.setAttribute('list', list.id);
  input.extra = [list];
  input.addEventListener('focus', () => offerRows(entity, list, context), { once: true });
  return input;
}

async function offerRows(entity, list, context) {
  const { address: { store }, signal } = context;
  const [head, ...rows] = await all(['page-rows', entity, `--limit=${rowsToOffer}`], { store, signal }).catch(() => []);
  const named = head?.columns.findIndex((column) => column.type === 'String');
  list.replaceChildren(...rows.map((row) => h('option', { value: shortID(row.id) },
    typeof row.cells[named] === 'string' ? row.cells[named] : '')));
}
