// A form for the values of one row.

import { h } from '../dom.js';
import { texts } from '../texts.js';

/**
 * {form, forget()}. The input is saved in the entry of the browser's history, so that it is restored after the user follows a link and
 * returns, or reloads the page. forget() discards it after writing or cancelling.
 *
 * - onSubmit(faults): called with the element for errors that don't belong to a field.
 * - cancel: the button or link that cancels the form.
 */
export function valueForm({ fields, cancel, context, onSubmit, onInput }) {
  const faults = h('div', {});
  const typed = context.remembered?.typed;
  for (const field of fields) if (typed?.has(field.name)) field.restore(typed.get(field.name));
  let pause;
  const keep = () => context.remember({ typed: new Map(fields.map((field) => [field.name, field.draft()])) });
  const form = h('form', {
    class: 'editor', novalidate: true,
    onchange: keep,
    oninput() {
      clearTimeout(pause);
      pause = setTimeout(keep, 200);
      onInput?.();
    },
    onsubmit(event) {
      event.preventDefault();
      return onSubmit(faults);
    },
  }, fields.map((field) => field.element), faults, h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, texts.write.next), cancel));
  return {
    form,
    forget() {
      clearTimeout(pause);
      context.remember(undefined);
    },
  };
}
