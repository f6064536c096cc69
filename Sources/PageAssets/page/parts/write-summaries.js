// Summarizes a dry run: {content, changesNothing, count}. The count is the value of --expect.

import { h } from '../dom.js';
import { texts } from '../texts.js';
import { entityNamed } from './key-paths.js';

/** The maximum number of characters of an argument that are shown. The bytes of a file are a long argument. */
const longestWord = 200;

/** The values are {word, before, isOther}: an assignment such as 'age=37' and, for one row, its current value and whether another program has changed it. */
export function updateSummary([facts], values) {
  const { matched = 0, changed = 0 } = facts ?? {};
  return { content: [h('p', {}, texts.write.updates(matched, changed)), wordList(values)], changesNothing: !changed, count: changed };
}

export function insertSummary(values) {
  return { content: wordList(values.map((word) => ({ word }))), changesNothing: false };
}

/** The facts are the output of link or unlink. */
export function linkSummary([facts]) {
  const { linked = 0, unlinked = 0, replaced = 0, loops = 0, matchedSources, matchedDestinations } = facts ?? {};
  const sentences = [
    linked > 0 && texts.write.links(linked), unlinked > 0 && texts.write.unlinks(unlinked),
    replaced > 0 && texts.write.replaces(replaced), loops > 0 && texts.write.loops(loops),
    linked + unlinked === 0 && (matchedSources && matchedDestinations ? texts.write.linksNothing : texts.write.noPartner),
  ];
  return { content: sentences.filter(Boolean).map((one) => h('p', {}, one)), changesNothing: linked + unlinked === 0, count: linked + unlinked };
}

/** The deleted rows and the relationships that change, each with its delete rule. */
export function deletionSummary([facts], model) {
  const { deleted = {}, nullified = {}, dangling = {}, files = 0 } = facts ?? {};
  const rows = [
    ...Object.entries(deleted).map(([name, n]) => [n, texts.write.deleted(name), cascades(model, name, Object.keys(deleted))]),
    ...Object.entries(nullified).map(([name, n]) => [n, texts.write[isToMany(model, name) ? 'left' : 'nullified'](name), ruleOfInverse(model, name)]),
    ...Object.entries(dangling).map(([name, n]) => [n, texts.write.dangling(name), ruleOfInverse(model, name)]),
    ...(files > 0 ? [[files, texts.write.filesRemoved, []]] : []),
  ];
  if (!rows.length) return { content: h('p', {}, texts.write.deletesNothing), changesNothing: true };
  return {
    content: h('table', { class: 'consequences' },
      h('thead', {}, h('tr', {}, texts.write.consequences.map((name, index) => h('th', { scope: 'col', class: index ? '' : 'number' }, name)))),
      h('tbody', {}, rows.map(([n, what, rules]) => h('tr', {},
        h('td', { class: 'number' }, texts.number(n)), h('td', {}, what),
        h('td', { class: 'quiet' }, rules.map((rule) => h('div', {}, rule))))))),
    changesNothing: false,
    count: Object.values(deleted).reduce((sum, n) => sum + n, 0),
  };
}

function wordList(values) {
  return h('ul', {}, values.map(({ word, before, isOther }) => h('li', {}, h('code', {}, shortened(word)),
    before !== undefined && h('span', { class: isOther ? 'bad' : 'quiet' }, ' ', texts.write.before(before === null ? texts.plain.null : shortened(String(before)), isOther)))));
}

function shortened(text) {
  return text.length > longestWord ? `${text.slice(0, longestWord)}…` : text;
}

/** The delete rules by which deleted rows also delete rows of an entity. */
function cascades(model, name, deleted) {
  const kinds = [name, ...ancestors(model, name)];
  const rules = deleted.flatMap((owner) => (entityNamed(model, owner)?.relationships ?? [])
    .filter((one) => one.deleteRule === 'Cascade' && kinds.includes(one.destination))
    .map((one) => texts.write.rule(`${owner}.${one.name}`, one.deleteRule)));
  return [...new Set(rules)];
}

function ancestors(model, name) {
  const parent = entityNamed(model, name)?.parent;
  return parent ? [parent, ...ancestors(model, parent)] : [];
}

/** The relationship with a path such as 'Person.city'. */
function relationshipNamed(model, path) {
  const [owner, name] = path.split('.');
  return entityNamed(model, owner)?.relationships.find((one) => one.name === name);
}

function isToMany(model, path) {
  return relationshipNamed(model, path)?.toMany === true;
}

/** The delete rule for a relationship to deleted rows. It is the rule of the inverse, which belongs to the deleted rows. */
function ruleOfInverse(model, path) {
  const { destination, inverse } = relationshipNamed(model, path) ?? {};
  const back = inverse && relationshipNamed(model, `${destination}.${inverse}`);
  return back ? [texts.write.rule(`${destination}.${inverse}`, back.deleteRule)] : [];
}
