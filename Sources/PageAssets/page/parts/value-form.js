// A form for the values of one row.

import { h } from '../dom.js';
import { texts } from '../texts.js';

/**
 * {form, forget()}. What is typed stays with its entry in the browser's history: whoever leaves by a link, or reloads the page, finds it
 * again. forget() is for what is written or given up.
 *
 * - onSubmit(faults): with the place for what is wrong beside the fields.
 * - cancel: a button or a link.
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
