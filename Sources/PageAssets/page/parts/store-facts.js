// Shows the output of `info` for a store.

import { h } from '../dom.js';
import { texts } from '../texts.js';

const all = ['store', 'uuid', 'model', 'version', 'writtenBy', 'closestVersion', 'advice', 'configuration', 'journal', 'bytes', 'walBytes', 'pageSize', 'pages', 'freePages', 'rows', 'indexes', 'triggers', 'historyTransactions', 'historyChanges', 'externalFolder', 'frameworkVersion'];
/** The facts about the program and the model version that wrote the store. */
export const originFacts = ['model', 'version', 'writtenBy', 'closestVersion', 'advice', 'frameworkVersion'];
const sizes = new Set(['bytes', 'walBytes', 'pageSize']);

export function storeFacts(info, names = all) {
  return h('dl', { class: 'facts' }, names.filter((name) => info[name] != null && info[name] !== '').map((name) => [
    h('dt', {}, texts.entities.fact(name)),
    h('dd', {}, factText(name, info[name])),
  ]));
}

function factText(name, value) {
  if (sizes.has(name)) return texts.bytes(value);
  return typeof value === 'number' && name !== 'frameworkVersion' ? texts.number(value) : String(value);
}
