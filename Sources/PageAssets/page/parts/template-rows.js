// The rows of a fetch request template.

import { fill, h } from '../dom.js';
import { texts } from '../texts.js';
import { entityNamed } from './key-paths.js';
import { shortID } from './plain-value.js';
import { rowTable } from './table.js';

/** Shows the rows. `words` are the arguments after the template's name: the additional condition and the variables. */
export async function showRows(element, template, words, context) {
  const { address, go, model } = context;
  const values = (sort) => {
    const all = new URLSearchParams(address.values);
    all.set('sort', sort);
    return all;
  };
  const sort = address.values.get('sort') ?? '';
  const count = h('p', { class: 'summary', role: 'status' }, texts.rows.counting);
  const table = rowTable({
    words: [`--template=${template.name}`, ...(sort ? [`--sort=${sort}`] : []), ...words], entity: entityNamed(model, template.entity), context, sort, label: texts.rows.label(template.name),
    onSort: (next) => go({ view: 'templates', name: template.name, values: values(next) }),
    onOpen: (row) => go({ view: 'row', name: shortID(row.id) }),
    onCount: (rows, isWhole, isStopped) => { count.textContent = texts.rows.count(rows, isWhole, isStopped); },
  });
  fill(element, count, table);
  context.onChange(() => table.refresh());
  await table.ready;
}
