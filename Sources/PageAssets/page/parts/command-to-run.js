// A command that the page doesn't run itself, with a button that copies it.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { copyText } from './clipboard.js';
import { commandLine } from './command.js';

export function commandToRun(words, { page, address }) {
  const line = commandLine(words, page.stores[address.store]);
  const code = h('pre', { class: 'code', tabindex: '0', 'aria-label': texts.command.show }, line);
  const button = h('button', { type: 'button', title: texts.command.copy, onclick: () => copyText(line, button, code) }, texts.command.copy);
  return h('div', { class: 'command-to-run' }, code, button);
}
