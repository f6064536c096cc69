// The page: its navigation, and the view in the address.

import * as address from './address.js';
import { all } from './api.js';
import { fill, h } from './dom.js';
import { followChanges } from './parts/changes.js';
import { commandButton } from './parts/command.js';
import { diagnosticView, failureView } from './parts/failure.js';
import { storeNames } from './parts/store-names.js';
import { texts } from './texts.js';

/** The views in the navigation. */
const navigation = ['entities', 'diagram', 'templates', 'groups', 'sections', 'history', 'migration', 'verify'];
/** The other views, each with the view that is marked as current in the navigation. */
const further = { rows: 'entities', row: 'entities', insert: 'entities' };
/** The views that work without a model. */
const withoutModel = ['entities', 'history', 'migration', 'verify'];

const parts = {
  top: document.getElementById('top'),
  nav: document.getElementById('nav'),
  main: document.getElementById('main'),
  lost: document.getElementById('lost'),
  status: document.getElementById('status'),
};

let page;
/** The names of the stores, by their index. */
let names;
/** By the index of the store: {model, failure, notes}. The model is the output of page-model, or null if it can't be read. Its hash changes if the store is migrated. */
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
    names = storeNames(page.stores);
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
  const store = page.stores[now.store];
  drawFrame(now);
  const command = commandButton(store);
  const element = h('div', { class: 'view' });
  const isKnown = navigation.includes(now.view) || Object.hasOwn(further, now.view);
  const heading = h('h1', {}, isKnown ? texts.views[now.view] ?? now.name : now.view);
  const remarks = h('div', {});
  fill(parts.main, h('div', { class: 'head' }, heading, command.element), remarks, element);
  element.append(h('p', { class: 'quiet loading' }, texts.page.loading));
  try {
    if (!store) throw new Error(texts.page.noStore(now.store + 1, page.stores.length));
    const following = watch(now.store);
    const [{ default: view }, { model, failure, notes }] = await Promise.all([isKnown ? import(`./views/${now.view}.js`) : { default: null }, modelOf(following)]);
    if (signal.aborted) return;
    if (!view) throw new Error(texts.page.noView(now.view));
    if (!model && !withoutModel.includes(now.view)) throw failure;
    const title = view.title(now);
    heading.textContent = title;
    document.title = texts.page.title(title, names[now.store]);
    const context = contextOf({ now, model, signal, command, following });
    fill(remarks, now.view === 'entities' || !withoutModel.includes(now.view) ? notes?.map(diagnosticView) : null);
    element.replaceChildren();
    await view.show(element, context);
  } catch (error) {
    if (signal.aborted) return;
    element.replaceChildren(failureView(error, () => show()));
    if (!error.mayPass) return;
    watch(now.store).listeners = new Set([() => show()]);
  }
  // After a navigation by the user, a screen reader continues at the view and not at the start of the page.
  if (event && !signal.aborted && (document.activeElement === document.body || !document.activeElement)) parts.main.focus({ preventScroll: true });
}

function contextOf({ now, model, signal, command, following }) {
  const listeners = new Set();
  const { changes } = following;
  // The address of this view. The state of the history entry of another address isn't read or written.
  const { hash } = location;
  following.listeners = listeners;
  return {
    address: now, page, model, signal,
    command: (words) => { if (!signal.aborted) command.set(words); },
    /** Calls the listener after each change of the store, and immediately if the store has changed since the view began. */
    onChange(listener) {
      listeners.add(listener);
      if (following.changes !== changes) listener();
    },
    go: (target) => { location.hash = address.write({ store: now.store, ...target }); },
    /** Shows the view again from the start. */
    again: () => show(),
    /** The state that the view passed to remember() before the user followed a link and returned, or undefined. */
    get remembered() { return location.hash === hash ? history.state?.view : undefined; },
    remember: (view) => { if (!signal.aborted && location.hash === hash) history.replaceState({ view }, ''); },
    href: (target) => address.write({ store: now.store, ...target }),
    say: (text) => { parts.status.textContent = text; },
  };
}

/** Follows a store with one stream for the whole page, because browsers limit connections: {listeners, changes, begun, …}. */
function watch(store) {
  if (watched?.store === store) return watched;
  watched?.stop.abort();
  const mine = { store, stop: new AbortController(), listeners: new Set(), changes: 0, hash: undefined };
  watched = mine;
  mine.begun = followChanges(store, mine.stop.signal, {
    onState(hash, isChange) {
      const isMigrated = hash !== undefined && mine.hash !== undefined && hash !== mine.hash;
      mine.hash = hash ?? mine.hash;
      if (isChange) mine.changes += 1;
      if (isMigrated) show();
      else if (isChange) for (const listener of mine.listeners) listener();
    },
    onServer(isThere) {
      if (isThere === !parts.lost.hasChildNodes()) return;
      fill(parts.lost, isThere ? null : [h('strong', {}, texts.page.gone), ' ', texts.page.goneHelp]);
    },
  });
  return mine;
}

/** The model of the store. It is read again if the store was migrated before its changes are followed. */
async function modelOf(following) {
  const { store } = following;
  const [found] = await Promise.all([models.get(store) ?? readModel(store), following.begun]);
  // The store was migrated after the model was read.
  const now = found.model && following.hash !== undefined && found.model.hash !== following.hash ? await readModel(store) : found;
  if (now.model) models.set(store, now);
  return now;
}

async function readModel(store) {
  const notes = [];
  try {
    const [model] = await all(['page-model'], { store, onNote: (note) => notes.push(note) });
    return { model, notes };
  } catch (failure) {
    // Without a model, the views in `withoutModel` still work.
    return { model: null, failure };
  }
}

function drawFrame(now) {
  const store = page.stores[now.store];
  fill(parts.top,
    h('a', { class: 'brand', href: address.write({ store: now.store, view: 'entities' }) }, 'storetool'),
    page.stores.length > 1 ? storeChooser(now) : h('span', { class: 'store', title: store?.path }, store && names[now.store]),
    h('span', { class: page.writable ? 'badge writable' : 'badge' }, page.writable ? texts.page.writable : texts.page.readOnly));
  parts.nav.setAttribute('aria-label', texts.page.views);
  fill(parts.nav, h('ul', {}, navigation.map((view) => h('li', {}, h('a', {
    href: address.write({ store: now.store, view }),
    'aria-current': view === now.view ? 'page' : view === further[now.view] ? 'true' : null,
  }, texts.views[view])))));
  // In a narrow window, the links are in one line. Scroll to the current one.
  const current = parts.nav.querySelector('[aria-current]');
  if (current) parts.nav.scrollLeft = current.offsetLeft - parts.nav.clientWidth / 2;
}

function storeChooser(now) {
  const select = h('select', {
    'aria-label': texts.page.store,
    onchange: () => { location.hash = address.write({ store: Number(select.value), view: 'entities' }); },
  }, page.stores.map((store, index) => h('option', { value: String(index), title: store.path }, names[index])));
  select.value = String(now.store);
  return select;
}

start();
