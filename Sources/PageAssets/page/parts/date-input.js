// A field for a date, in UTC.

import { h } from '../dom.js';

/** A date picker, or a text field for a date before the year 1 or with fractions of a millisecond, which a picker doesn't support. */
export function dateInput(text) {
  const value = text.replace(/Z$/, '').replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00');
  const input = h('input', { type: 'datetime-local', step: '0.001', value });
  return value && !input.value ? h('input', { type: 'text', value, autocomplete: 'off' }) : input;
}
