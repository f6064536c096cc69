// A field for a date, in UTC.

import { h } from '../dom.js';

/** A picker has milliseconds; what is finer, or before the year 1, stays a text. */
export function dateInput(text) {
  const value = text.replace(/Z$/, '').replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00');
  const input = h('input', { type: 'datetime-local', step: '0.001', value });
  return value && !input.value ? h('input', { type: 'text', value, autocomplete: 'off' }) : input;
}
