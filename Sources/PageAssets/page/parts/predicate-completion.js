// Completions of a predicate in a listbox under the caret, after the combobox pattern of ARIA with a list.

import { Failure, all } from '../api.js';
import { fill, h } from '../dom.js';

const pauseBeforeAsking = 60;
const most = 100;

/** Makes `input` a combobox with `list`. onInsert is called when a completion was inserted. */
export function completion({ input, list, mirror, entity, context, variables, onInsert }) {
  let candidates = [];
  let active = -1;
  let timer;
  let request;
  const isOpen = () => !list.hidden;
  context.signal?.addEventListener('abort', close);

  async function ask(isWanted) {
    clearTimeout(timer);
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const before = input.value.slice(0, input.selectionStart);
    let found;
    try {
      found = variablesFor(before, variables) ?? await all(['page-complete', entity, '--', before], { store: context.address.store, signal });
    } catch (error) {
      // A later request has aborted this one, and decides about the list.
      if (signal.aborted) return undefined;
      if (error instanceof Failure) return close();
      throw error;
    }
    if (signal.aborted || document.activeElement !== input) return undefined;
    // A complete word doesn't need a list. A space doesn't open the list of all completions.
    const isComplete = found.length > 0 && found[0].length === found[0].insert.length && before.endsWith(found[0].insert);
    // After a key path and a space, list the operators, which newcomers don't know.
    const isAsked = isWanted || /[\p{L}\p{N}_$@.#]$/u.test(before) || (before.endsWith(' ') && found[0]?.insert === '==');
    if (!found.length || !isAsked || (isComplete && found.length === 1 && !isWanted)) return close();
    return open(found.slice(0, most));
  }

  function open(found) {
    candidates = found;
    active = -1;
    fill(list, found.map((one, index) => h('li', {
      id: `${list.id}-${index}`, role: 'option', 'aria-selected': 'false',
      // Without this, a click would take the focus from the field.
      onmousedown: (event) => {
        event.preventDefault();
        take(index);
      },
    }, h('span', { class: 'insert' }, one.insert), one.note && h('span', { class: 'quiet' }, one.note))));
    list.hidden = false;
    list.scrollTop = 0;
    input.setAttribute('aria-expanded', 'true');
    input.removeAttribute('aria-activedescendant');
    place(found[0].length);
  }

  function place(length) {
    const left = caretLeft(mirror, input, input.selectionStart - length);
    const room = input.clientWidth - list.offsetWidth;
    list.style.left = `${Math.max(0, Math.min(left, room))}px`;
  }

  function close() {
    clearTimeout(timer);
    request?.abort();
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  function choose(index) {
    list.children[active]?.setAttribute('aria-selected', 'false');
    active = (index + candidates.length) % candidates.length;
    const option = list.children[active];
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', option.id);
  }

  function take(index) {
    const { insert, length } = candidates[index];
    const end = input.selectionStart;
    const before = [...input.value.slice(0, end)];
    const start = before.slice(0, before.length - length).join('').length;
    input.setRangeText(insert, start, end, 'end');
    close();
    onInsert();
    // After 'city.' and 'length:(', list the next completions.
    if (/[.(]$/.test(insert)) ask(true);
  }

  function keydown(event) {
    if (event.isComposing) return;
    if (!isOpen()) {
      if (event.key === 'ArrowDown' || (event.key === ' ' && event.ctrlKey)) {
        event.preventDefault();
        ask(true);
      }
      return;
    }
    const actions = {
      ArrowDown: () => choose(active + 1),
      ArrowUp: () => choose(active < 0 ? candidates.length - 1 : active - 1),
      PageDown: () => choose(Math.min(Math.max(active, 0) + 8, candidates.length - 1)),
      PageUp: () => choose(Math.max(active - 8, 0)),
      Tab: () => take(Math.max(active, 0)),
      Enter: () => take(active),
      Escape: close,
    };
    const isTaken = event.key in actions && !(event.key === 'Enter' && active < 0) && !(event.key === 'Tab' && event.shiftKey);
    if (!isTaken) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  input.addEventListener('keydown', keydown);
  input.addEventListener('blur', close);
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask(false), pauseBeforeAsking);
  });
  return { close };
}

/** The completions after a $: the variables of the field. The model doesn't contain them. */
function variablesFor(before, variables) {
  const typed = /\$(\w*)$/.exec(before)?.[1];
  if (typed === undefined) return undefined;
  return variables.filter(({ name }) => name.startsWith(typed)).map(({ name, type }) => ({ insert: name, length: typed.length, note: type }));
}

/** The distance of a text position from the edge of the field. It is measured in the mirrored text, because an input has no API for it. */
function caretLeft(mirror, input, position) {
  mirror.scrollLeft = input.scrollLeft;
  const range = document.createRange();
  let rest = position;
  const walker = document.createTreeWalker(mirror, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (rest <= node.length) {
      range.setStart(node, rest);
      return range.getBoundingClientRect().left - input.getBoundingClientRect().left;
    }
    rest -= node.length;
  }
  return 0;
}
