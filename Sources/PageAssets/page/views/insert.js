// A form for a new row.

import { h } from '../dom.js';
import { confirmByDryRun, isAccepted } from '../parts/dry-run.js';
import { entityNamed } from '../parts/key-paths.js';
import { shortID } from '../parts/plain-value.js';
import { settable, valueField } from '../parts/value-field.js';
import { insertSummary } from '../parts/write-summaries.js';
import { texts } from '../texts.js';

export default {
  title: (address) => texts.write.insertTitle(address.name),

  async show(element, context) {
    const { address, model, page, go } = context;
    const entity = entityNamed(model, address.name);
    if (!entity) throw new Error(texts.rows.noEntity(address.name));
    if (!page.writable) throw new Error(texts.write.readOnly);
    const fields = settable(entity).map((property) => valueField(property, undefined));
    const faults = h('div', {});
    const words = () => fields.map((field) => field.word()).filter(Boolean);
    const update = () => context.command(['insert', entity.name, '--', ...words()]);
    update();
    element.append(h('form', { class: 'editor', novalidate: true, onsubmit: submit, oninput: update }, fields.map((field) => field.element), faults,
      h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, texts.write.next), h('a', { class: 'button', href: context.href({ view: 'rows', name: entity.name }) }, texts.write.cancel))));

    async function submit(event) {
      event.preventDefault();
      const written = ['insert', entity.name, '--', ...words()];
      if (!await isAccepted(written, { fields, faults, context })) return undefined;
      return confirmByDryRun({
        title: texts.write.insertTitle(entity.name), context, words: written,
        summary: () => insertSummary(written.slice(3)),
        onDone: ([facts]) => go({ view: 'row', name: shortID(facts?.objectID) ?? entity.name }),
      });
    }
  },
};
