// The rows of an entity, with a filter, a sort order and a choice of columns.

import { fill, h } from '../dom.js';
import { columnChooser } from '../parts/column-chooser.js';
import { entityNamed } from '../parts/key-paths.js';
import { shortID } from '../parts/plain-value.js';
import { predicateField } from '../parts/predicate-field.js';
import { rowTable } from '../parts/table.js';
import { batchButtons } from '../parts/batch-edit.js';
import { texts } from '../texts.js';

export default {
  title: (address) => address.name,

  async show(element, context) {
    const { address, model, go, page } = context;
    const entity = entityNamed(model, address.name);
    if (!entity) throw new Error(texts.rows.noEntity(address.name));
    const asked = {
      where: address.values.get('where') ?? '', sort: address.values.get('sort') ?? '',
      columns: address.values.get('columns') ?? '', only: address.values.get('only') ?? '',
    };
    const change = (values) => go({ view: 'rows', name: entity.name, values: { ...asked, ...values } });
    context.command(['fetch', ...requestWords(entity.name, asked)]);

    const count = h('p', { class: 'summary', role: 'status' }, texts.rows.counting);
    const tools = h('div', { class: 'tools' });
    const table = rowTable({
      words: requestWords(entity.name, asked), entity, context, sort: asked.sort, label: texts.rows.label(entity.name),
      onSort: (sort) => change({ sort }),
      onOpen: (row) => go({ view: 'row', name: shortID(row.id) }),
      onCount: (rows, isWhole, isStopped) => { count.textContent = texts.rows.count(rows, isWhole, isStopped); },
    });
    const field = predicateField({
      entity: entity.name, value: asked.where, context, onSubmit: (where) => change({ where }),
      words: (where) => ['fetch', ...requestWords(entity.name, { ...asked, where })],
    });
    fill(tools, count, goToField(table),
      columnChooser({ entity, model, chosen: asked.columns, onChange: (columns) => change({ columns }) }),
      hasSubentities(model, entity) && subentitySwitch(asked, change),
      h('a', { class: 'button', href: context.href({ view: 'groups', name: entity.name, values: { where: asked.where } }) }, texts.rows.group),
      h('a', { class: 'button', href: context.href({ view: 'sections', name: entity.name, values: { where: asked.where } }) }, texts.rows.sections),
      page.writable && batchButtons({ entity, asked, context }));
    element.classList.add('rows-view');
    element.append(field, tools, table);
    context.onChange(() => table.refresh());
    try {
      await table.ready;
    } catch (error) {
      if (context.signal.aborted) return;
      table.remove();
      count.textContent = '';
      element.append(field.markOwn(error));
      if (error.mayPass) context.onChange(context.again);
    }
  },
};

/** The arguments after fetch, page-rows and page-keys. */
export function requestWords(entity, { where, sort, columns, only }) {
  return [
    entity, ...(where ? [`--where=${where}`] : []), ...(sort ? [`--sort=${sort}`] : []),
    ...(columns ? [`--select=${columns}`] : []), ...(only ? ['--no-subentities'] : []),
  ];
}

function hasSubentities(model, entity) {
  return model.entities.some((one) => one.parent === entity.name);
}

function subentitySwitch(asked, change) {
  return h('label', { class: 'switch' }, h('input', {
    type: 'checkbox', checked: !asked.only, onchange: () => change({ only: asked.only ? '' : 'yes' }),
  }), ' ', texts.rows.subentities);
}

function goToField(table) {
  const input = h('input', { type: 'text', inputmode: 'numeric', size: '8', 'aria-label': texts.rows.goTo, placeholder: texts.rows.goTo });
  return h('form', {
    class: 'go-to',
    onsubmit: (event) => {
      event.preventDefault();
      const number = Number.parseInt(input.value.replaceAll(/[,.\s]/g, ''), 10);
      input.setAttribute('aria-invalid', String(!(number > 0)));
      if (number > 0) table.goTo(number - 1);
    },
  }, input);
}
