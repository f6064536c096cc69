// A command that the page does not run itself, to be copied.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { commandLine } from './command.js';

export function commandToRun(words, { page, address }) {
  const line = commandLine(words, page.stores[address.store]);
  const button = h('button', { type: 'button', title: texts.command.copy, onclick: copy }, texts.command.copy);
  async function copy() {
    await navigator.clipboard.writeText(line);
    button.textContent = texts.command.copied;
    document.getElementById('status').textContent = texts.command.copied;
    setTimeout(() => { button.textContent = texts.command.copy; }, 1500);
  }
  return h('div', { class: 'command-to-run' }, h('pre', { class: 'code', tabindex: '0', 'aria-label': texts.command.show }, line), button);
}
