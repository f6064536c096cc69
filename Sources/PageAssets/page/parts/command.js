// The command that prints what a view shows, as a shell reads it.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { copyText } from './clipboard.js';

/** A word as a POSIX shell takes it: quoted where it has to be. */
export function quoted(word) {
  if (/^[\w@%+:,./=-]+$/.test(word)) return word;
  const option = /^(--[a-z-]+=)([\s\S]*)$/.exec(word);
  if (option) return option[1] + quoted(option[2]);
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Words of a command for a store, as one line. */
export function commandLine(words, store) {
  const place = words.indexOf('--');
  const head = place < 0 ? words : words.slice(0, place);
  const tail = place < 0 ? [] : words.slice(place);
  const isClosest = store.closest?.some((name) => name.split(' ').every((word, index) => words[index] === word));
  return ['storetool', ...head, ...store.words, ...(isClosest ? ['--closest'] : []), ...tail].map(quoted).join(' ');
}

/** The button of a view, and the command below it: {element, set(words)}. */
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
