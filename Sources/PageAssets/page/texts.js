// All texts of the page, so that they can be read, and put into another language, in one place.

const number = new Intl.NumberFormat('en-US');
const plural = (n, one, many = `${one}s`) => `${number.format(n)} ${n === 1 ? one : many}`;

export const texts = {
  number: (n) => number.format(n),
  plural,

  page: {
    title: (view, store) => `${view} · ${store} · storetool`,
    skip: 'To the content',
    views: 'Views',
    store: 'Store',
    readOnly: 'Read only',
    writable: 'Writing is allowed',
    loading: 'Loading…',
    noView: (name) => `There is no view of the name “${name}”.`,
    gone: 'storetool has ended, or cannot be reached.',
    goneHelp: 'Start “storetool browse” again and open the address that it prints.',
    changed: 'The store has changed.',
    noModel: 'No model at hand has written this store, so its rows cannot be read by their names.',
  },

  views: {
    entities: 'Entities',
    diagram: 'Model',
    templates: 'Templates',
    groups: 'Groups',
    sections: 'Sections',
    history: 'History',
    migration: 'Version',
    verify: 'Verify',
  },

  command: {
    copy: 'Copy command',
    copied: 'Copied',
    title: 'Copies the storetool command that prints the same',
    show: 'The command',
  },

  failure: {
    title: 'This did not work',
    at: (file, line) => `${file}, line ${line}`,
    lost: 'The connection to storetool was lost.',
  },

  run: {
    stop: 'Stop',
    stopped: 'Stopped.',
    seconds: (ms) => `${(ms / 1000).toFixed(1)} s`,
  },
};
