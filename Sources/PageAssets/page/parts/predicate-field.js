// A field for a predicate, with completions and marks for errors at their exact locations.

import { Failure, all } from '../api.js';
import { fill, h } from '../dom.js';
import { texts } from '../texts.js';
import { explainPanel } from './explain.js';
import { failureView } from './failure.js';
import { completion } from './predicate-completion.js';
import { incompleteAt, marksOf, shownWith } from './predicate-marks.js';

const pauseBeforeCheck = 200;
let count = 0;

/**
 * A form with the field, the list of completions, the errors and, on demand, the explanation.
 *
 * - entity: the entity of the predicate.
 * - value: the initial text.
 * - context: the context of the view.
 * - onSubmit: called with the text after Enter. Errors that it throws are marked in the text.
 * - variables: [{name, type}], the variables that the text can contain, and whose values are entered elsewhere.
 * - words(text): returns the arguments of the command to explain. The default is a fetch.
 * - label, hint: the texts that describe the field.
 * - explains: false omits the explanation.
 *
 * The element has the property `text`, and `mark(failure)`. `markOwn(error)` marks the errors of the predicate, and
 * returns a view of the other errors.
 */
export function predicateField(options) {
  const { entity, value = '', context, onSubmit, explains = true, variables = [] } = options;
  const name = `predicate-${++count}`;
  const input = h('input', {
    id: name, type: 'text', role: 'combobox', class: 'predicate-input', value, autocomplete: 'off',
    autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false', 'aria-autocomplete': 'list',
    'aria-expanded': 'false', 'aria-controls': `${name}-list`, 'aria-describedby': `${name}-faults`,
    placeholder: options.hint ?? texts.predicate.hint,
  });
  const mirror = h('div', { class: 'predicate-mirror', 'aria-hidden': 'true' });
  const list = h('ul', { id: `${name}-list`, role: 'listbox', class: 'completions', 'aria-label': texts.predicate.completions, hidden: true });
  const faults = h('div', { id: `${name}-faults`, class: 'predicate-faults', 'aria-live': 'polite' });
  const explanation = explains && explainPanel({
    context, words: () => options.words?.(input.value) ?? fetchWords(entity, input.value),
  });

  const checker = check({ input, mirror, faults, entity, context, variables });
  const completer = completion({ input, list, mirror, entity, context, variables, onInsert: () => checker.later() });

  const element = h('form', { class: 'predicate', onsubmit: submit },
    h('label', { for: name }, options.label ?? texts.predicate.label),
    h('div', { class: 'predicate-line' },
      h('div', { class: 'predicate-box' }, mirror, input, list),
      h('button', { type: 'submit' }, texts.predicate.apply),
      explanation && explanation.button),
    faults,
    explanation && explanation.panel);

  async function submit(event) {
    event.preventDefault();
    completer.close();
    try {
      await onSubmit?.(input.value.trim());
    } catch (error) {
      if (error instanceof Failure) checker.show(error.diagnostics, true);
      else throw error;
    }
  }

  input.addEventListener('input', () => {
    checker.later();
    explanation?.outdated?.();
  });
  input.addEventListener('scroll', () => { mirror.scrollLeft = input.scrollLeft; });
  if (value) checker.now();

  element.mark = (failure) => checker.show(failure.diagnostics, true);
  element.markOwn = (error) => {
    const [own, others] = parted(error);
    if (own.length) checker.show(own, true);
    return others ? failureView(others, context.again) : '';
  };
  return Object.defineProperty(element, 'text', {
    get: () => input.value.trim(),
    set: (text) => {
      input.value = text;
      checker.now();
    },
  });
}

/** Splits an error into the diagnostics about --where, and an error with the others or undefined. */
function parted(error) {
  if (!(error instanceof Failure)) return [[], error];
  const isOwn = (one) => one.notes?.includes('in --where');
  const others = error.diagnostics.filter((one) => !isOwn(one));
  return [error.diagnostics.filter(isOwn), others.length ? new Failure(others, error.status) : undefined];
}

function fetchWords(entity, text) {
  return ['fetch', entity, ...(text.trim() ? [`--where=${text.trim()}`] : [])];
}

/** Checks the text when nothing has been typed for a short time. */
function check({ input, mirror, faults, entity, context, variables }) {
  let timer;
  let request;
  context.signal?.addEventListener('abort', () => {
    clearTimeout(timer);
    request?.abort();
  });

  async function now() {
    clearTimeout(timer);
    request?.abort();
    const text = input.value;
    if (!text.trim()) return show([]);
    request = new AbortController();
    const { signal } = request;
    try {
      const [facts] = await all(['predicate', 'check', `--entity=${entity}`, '--', text], { store: context.address.store, signal });
      if (signal.aborted) return undefined;
      const unbound = (facts?.variables ?? []).filter((one) => !variables.some(({ name }) => name === one.name));
      return show(unbound.length ? [{ severity: 'note', message: texts.predicate.unbound(unbound.map((one) => `$${one.name}`)) }] : []);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof Failure)) throw error;
      return show(error.diagnostics, document.activeElement !== input);
    }
  }

  /** Shows the diagnostics. While the user types, an incomplete text isn't marked as an error. */
  function show(diagnostics, isFinal = false) {
    const text = input.value;
    const waits = (one) => !isFinal && incompleteAt(one, text);
    fill(mirror, shownWith(text, marksOf(diagnostics.filter((one) => !waits(one)), text)));
    mirror.scrollLeft = input.scrollLeft;
    input.setAttribute('aria-invalid', String(diagnostics.some((one) => one.severity !== 'note' && !waits(one))));
    fill(faults, diagnostics.map((one) => faultLine(one, waits(one), () => select(one))));
  }

  function select({ excerpt }) {
    const scalars = [...input.value];
    const start = scalars.slice(0, excerpt.column - 1).join('').length;
    input.focus();
    input.setSelectionRange(start, start + scalars.slice(excerpt.column - 1, excerpt.column - 1 + excerpt.length).join('').length);
  }

  function later() {
    // The marks of the previous text are removed, because they would be at the wrong characters.
    fill(mirror, shownWith(input.value, []));
    mirror.scrollLeft = input.scrollLeft;
    clearTimeout(timer);
    timer = setTimeout(now, pauseBeforeCheck);
  }

  return { now, later, show };
}

function faultLine(diagnostic, waits, onSelect) {
  const isInText = diagnostic.excerpt && diagnostic.severity !== 'note';
  const kind = diagnostic.severity === 'note' || waits ? 'note' : 'error';
  return h('p', { class: `predicate-fault ${kind}` },
    isInText && !waits
      ? h('button', { type: 'button', class: 'link', onclick: onSelect, title: texts.predicate.select }, diagnostic.message)
      : diagnostic.message,
    (diagnostic.help ?? []).map((help) => h('span', { class: 'help' }, ` — ${help}`)));
}
