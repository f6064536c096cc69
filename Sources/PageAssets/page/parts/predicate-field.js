// A field for a predicate: completes it, and marks what is wrong under its exact place.

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
 * A form with the field, the list of what could be typed next, the mistakes and, on demand, the explanation.
 *
 * - entity: whose rows the predicate is about.
 * - value: the text to begin with.
 * - context: the view's.
 * - onSubmit: told the text by Enter; what it throws, or what is given to `mark`, is marked in the text.
 * - variables: {name, type} of those that the text may use, and that are given a value elsewhere.
 * - words: of the command that `explain` is asked about, by the text. Without it: a fetch.
 * - label, hint: what the field is for.
 * - explains: false leaves out the explanation.
 *
 * The element has `text`, to be read and set, and `mark(failure)`; `markOwn(error)` marks what is wrong with the
 * predicate, and gives a view of what else there is.
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

/** What stands in --where, and what does not. */
function parted(error) {
  if (!(error instanceof Failure)) return [[], error];
  const isOwn = (one) => one.notes?.includes('in --where');
  const others = error.diagnostics.filter((one) => !isOwn(one));
  return [error.diagnostics.filter(isOwn), others.length ? new Failure(others, error.status) : undefined];
}

function fetchWords(entity, text) {
  return ['fetch', entity, ...(text.trim() ? [`--where=${text.trim()}`] : [])];
}

/** Asks for the mistakes of the text, once nothing has been typed for a moment. */
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

  /** What is only not yet written is no mistake while somebody writes. */
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
    // The marks of the previous text would be under other letters.
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
