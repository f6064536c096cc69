// Shows the names of linked rows after each link.

import { Failure, run } from '../api.js';
import { h } from '../dom.js';
import { entityNamed } from './key-paths.js';

const longest = 60;

/** The key path of the attribute with the names of an entity's rows, or undefined if the entity doesn't have a text attribute. */
function namingPath(entity) {
  const texts = (entity?.attributes ?? []).filter((one) => one.type === 'String');
  const known = [/^(name|title|label)$/i, /(name|title|label)$/i].flatMap((pattern) => texts.find((one) => pattern.test(one.name)) ?? []);
  return (known[0] ?? texts[0])?.path;
}

/** Adds names after links such as 'Item/p1', with one request for each entity. */
export async function nameRows(links, { model, address, signal }) {
  const byEntity = Map.groupBy(links, (link) => link.textContent.split('/')[0]);
  for (const [entity, group] of byEntity) {
    const path = namingPath(entityNamed(model, entity));
    if (!path) continue;
    const byKey = Map.groupBy(group, (link) => Number(link.textContent.split('/p')[1]));
    try {
      const words = ['page-rows', entity, `--select=${path}`, `--keys=${[...byKey.keys()].join(',')}`];
      for await (const { key, cells } of run(words, { store: address.store, signal })) {
        const name = cells?.[0]?.text ?? cells?.[0];
        if (typeof name === 'string' && name) for (const link of byKey.get(key)) link.after(' ', h('span', { class: 'row-name' }, shortened(name)));
      }
    } catch (error) {
      // The links also work without names.
      if (!(error instanceof Failure) && !signal.aborted) throw error;
    }
  }
}

function shortened(name) {
  const scalars = [...name];
  return scalars.length > longest ? `${scalars.slice(0, longest).join('')}…` : name;
}
