// The page: its navigation, and the view that the address names.

import * as address from './address.js';
import { all } from './api.js';
import { fill, h } from './dom.js';
import { followChanges } from './parts/changes.js';
import { commandButton } from './parts/command.js';
import { failureView } from './parts/failure.js';
import { texts } from './texts.js';

/** Those that stand in the navigation; `rows`, `row` and `template` are reached from others. */
const navigation = ['entities', 'diagram', 'templates', 'groups', 'sections', 'history', 'migration', 'verify'];
const further = ['rows', 'row', 'insert'];
/** What they show is in the file alone. */
const withoutModel = ['entities', 'history', 'migration', 'verify'];

const parts = {
  top: document.getElementById('top'),
  nav: document.getElementById('nav'),
  main: document.getElementById('main'),
  lost: document.getElementById('lost'),
  status: document.getElementById('status'),
};

let page;
/** By store: {model, failure}; model is what page-model says, or null where there is none. */
const models = new Map();
let leaving;
let watched;

async function start() {
  const skip = document.getElementById('skip');
  skip.textContent = texts.page.skip;
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    parts.main.focus();
  });
  try {
    const response = await fetch('api/page');
    page = await response.json();
  } catch (error) {
    fill(parts.main, failureView(error));
    return;
  }
  window.addEventListener('hashchange', show);
  show();
}

async function show(event) {
  leaving?.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const now = address.read();
  const store = page.stores[now.store] ?? page.stores[0];
  drawFrame(now, store);
  const command = commandButton(store);
  const element = h('div', { class: 'view' });
  const heading = h('h1', {}, texts.views[now.view] ?? now.name);
  fill(parts.main, h('div', { class: 'head' }, heading, command.element), element);
  element.append(h('p', { class: 'quiet loading' }, texts.page.loading));
  const isKnown = navigation.includes(now.view) || further.includes(now.view);
  try {
    const { default: view } = isKnown ? await import(`./views/${now.view}.js`) : { default: null };
    const { model, failure } = await modelOf(now.store);
    if (signal.aborted) return;
    if (!view) throw new Error(texts.page.noView(now.view));
    if (!model && !withoutModel.includes(now.view)) throw failure;
    const title = view.title(now, texts);
    heading.textContent = title;
    document.title = texts.page.title(title, store.name);
    const context = contextOf({ now, model, signal, command });
    element.replaceChildren();
    await view.show(element, context);
  } catch (error) {
    if (!signal.aborted) element.replaceChildren(failureView(error, () => show()));
  }
  // After a step of the user the reader goes on at the view's title, not at the start of the page.
  if (event && !signal.aborted && (document.activeElement === document.body || !document.activeElement)) parts.main.focus({ preventScroll: true });
}

function contextOf({ now, model, signal, command }) {
  const listeners = new Set();
  watch(now.store);
  watched.listeners = listeners;
  return {
    address: now, page, model, signal,
    command: (words) => { if (!signal.aborted) command.set(words); },
    onChange: (listener) => listeners.add(listener),
    go: (target) => { location.hash = address.write({ store: now.store, ...target }); },
    /** The address without another entry to go back to: for what is typed or scrolled. */
    /** Shows the view anew. */
    again: () => show(),
    /** What the view was like when it was left by a link; it is given back when the user returns. */
    remembered: history.state?.view,
    remember: (view) => { if (!signal.aborted) history.replaceState({ view }, ''); },
    href: (target) => address.write({ store: now.store, ...target }),
    say: (text) => { parts.status.textContent = text; },
  };
}

/** One stream for the page: a browser has few connections. */
function watch(store) {
  if (watched?.store === store) return;
  watched?.stop.abort();
  const stop = new AbortController();
  const mine = { store, stop, listeners: new Set() };
  watched = mine;
  followChanges(store, stop.signal, {
    onChange() {
      // It may be a migration: the next view asks for the model anew.
      models.delete(store);
      for (const listener of mine.listeners) listener();
    },
    onServer(isThere) {
      if (isThere === !parts.lost.hasChildNodes()) return;
      fill(parts.lost, isThere ? null : [h('strong', {}, texts.page.gone), ' ', texts.page.goneHelp]);
    },
  });
}

async function modelOf(store) {
  if (!models.has(store)) {
    try {
      const [model] = await all(['page-model'], { store });
      models.set(store, { model });
    } catch (failure) {
      // A store without a model has its file, its history and its findings to show.
      return { model: null, failure };
    }
  }
  return models.get(store);
}

function drawFrame(now, store) {
  fill(parts.top,
    h('a', { class: 'brand', href: address.write({ store: now.store, view: 'entities' }) }, 'storetool'),
    page.stores.length > 1 ? storeChooser(now) : h('span', { class: 'store', title: store.path }, store.name),
    h('span', { class: page.writable ? 'badge writable' : 'badge' }, page.writable ? texts.page.writable : texts.page.readOnly));
  parts.nav.setAttribute('aria-label', texts.page.views);
  fill(parts.nav, h('ul', {}, navigation.map((view) => h('li', {}, h('a', {
    href: address.write({ store: now.store, view }),
    'aria-current': view === now.view ? 'page' : null,
  }, texts.views[view])))));
}

function storeChooser(now) {
  const select = h('select', {
    'aria-label': texts.page.store,
    onchange: () => { location.hash = address.write({ store: Number(select.value), view: 'entities' }); },
  }, page.stores.map((store, index) => h('option', { value: String(index), title: store.path }, store.name)));
  select.value = String(now.store);
  return select;
}

start();
