// The page: its navigation, and the view that the address names.

import * as address from './address.js';
import { all } from './api.js';
import { fill, h } from './dom.js';
import { followChanges } from './parts/changes.js';
import { commandButton } from './parts/command.js';
import { diagnosticView, failureView } from './parts/failure.js';
import { storeNames } from './parts/store-names.js';
import { texts } from './texts.js';

/** Those that stand in the navigation; the others are reached from one of these. */
const navigation = ['entities', 'diagram', 'templates', 'groups', 'sections', 'history', 'migration', 'verify'];
const further = { rows: 'entities', row: 'entities', insert: 'entities' };
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
/** Of the stores. */
let names;
/** By store: {model, failure, notes}; model is what page-model says, or null where there is none. Its hash says of which version the store is. */
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
  // After a step of the user the reader goes on at the view's title, not at the start of the page.
  if (event && !signal.aborted && (document.activeElement === document.body || !document.activeElement)) parts.main.focus({ preventScroll: true });
}

function contextOf({ now, model, signal, command, following }) {
  const listeners = new Set();
  const { changes } = following;
  // Notify the view of another address after a short delay.
  const { hash } = location;
  following.listeners = listeners;
  return {
    address: now, page, model, signal,
    command: (words) => { if (!signal.aborted) command.set(words); },
    /** What has changed since the view began is told at once. */
    onChange(listener) {
      listeners.add(listener);
      if (following.changes !== changes) listener();
    },
    go: (target) => { location.hash = address.write({ store: now.store, ...target }); },
    /** Shows the view anew. */
    again: () => show(),
    /** What the view was like when it was left by a link; it is given back when the user returns. */
    get remembered() { return location.hash === hash ? history.state?.view : undefined; },
    remember: (view) => { if (!signal.aborted && location.hash === hash) history.replaceState({ view }, ''); },
    href: (target) => address.write({ store: now.store, ...target }),
    say: (text) => { parts.status.textContent = text; },
  };
}

/** One stream for the page, since a browser has few connections: {listeners, changes, begun, …}. */
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

/** The model of the store as it is from when changes are seen. */
async function modelOf(following) {
  const { store } = following;
  const [found] = await Promise.all([models.get(store) ?? readModel(store), following.begun]);
  // A migration came in between.
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
    // A store without a model has its file, its history and its findings to show.
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
