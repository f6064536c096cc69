// The command that prints the data of a view, quoted for a shell.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { copyText } from './clipboard.js';

/** An argument for a POSIX shell, quoted if necessary. */
export function quoted(word) {
  if (/^[\w@%+:,./=-]+$/.test(word)) return word;
  const option = /^(--[a-z-]+=)([\s\S]*)$/.exec(word);
  if (option) return option[1] + quoted(option[2]);
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command line with the arguments `words` for a store. */
export function commandLine(words, store) {
  const place = words.indexOf('--');
  const head = place < 0 ? words : words.slice(0, place);
  const tail = place < 0 ? [] : words.slice(place);
  const isClosest = store.closest?.some((name) => name.split(' ').every((word, index) => words[index] === word));
  return ['storetool', ...head, ...store.words, ...(isClosest ? ['--closest'] : []), ...tail].map(quoted).join(' ');
}

/** A button that copies the command of a view, and the command below it: {element, set(words)}. */
export function commandButton(store) {
  let line = '';
  const code = h('code', {});
  const button = h('button', { type: 'button', class: 'copy', title: texts.command.title, onclick: () => copyText(line, button, code) }, texts.command.copy);
  const element = h('div', { class: 'command', hidden: true },
    h('details', {}, h('summary', {}, texts.command.show), h('pre', { class: 'code', tabindex: '0', 'aria-label': texts.command.show }, code)), button);

  return {
    element,
    set(words) {
      element.hidden = !words;
      line = words ? commandLine(words, store) : '';
      code.textContent = line;
    },
  };
}
