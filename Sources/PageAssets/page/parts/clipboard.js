// Copies a command, or selects its text if the browser doesn't permit copying.

import { texts } from '../texts.js';

/** Copies a text. The button shows briefly that it was copied. The element `code` contains the text. */
export async function copyText(text, button, code) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const details = code.closest('details');
    if (details) details.open = true;
    getSelection().selectAllChildren(code);
    return;
  }
  button.textContent = texts.command.copied;
  document.getElementById('status').textContent = texts.command.copied;
  setTimeout(() => { button.textContent = texts.command.copy; }, 1500);
}
