// A form for a new row.

import { h } from '../dom.js';
import { confirmByDryRun, isAccepted } from '../parts/dry-run.js';
import { entityNamed } from '../parts/key-paths.js';
import { shortID } from '../parts/plain-value.js';
import { settable, valueField } from '../parts/value-field.js';
import { valueForm } from '../parts/value-form.js';
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
    const words = () => fields.map((field) => field.word()).filter(Boolean);
    const update = () => context.command(['insert', entity.name, '--', ...words()]);
    const { form, forget } = valueForm({
      fields, context, onInput: update, onSubmit: submit,
      cancel: h('a', { class: 'button', href: context.href({ view: 'rows', name: entity.name }), onclick: () => forget() }, texts.write.cancel),
    });
    update();
    element.append(form);

    async function submit(faults) {
      const written = ['insert', entity.name, '--', ...words()];
      if (!await isAccepted(written, { fields, faults, context })) return undefined;
      return confirmByDryRun({
        title: texts.write.insertTitle(entity.name), context, words: written,
        summary: () => insertSummary(written.slice(3)),
        onDone([facts]) {
          forget();
          go({ view: 'row', name: shortID(facts?.objectID) ?? entity.name });
        },
      });
    }
  },
};
