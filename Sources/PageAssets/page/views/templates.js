// Shows the fetch requests of the model, with a form for their variables, and the fetched rows.

import { write } from '../address.js';
import { Failure, all } from '../api.js';
import { fill, h } from '../dom.js';
import { explainPanel } from '../parts/explain.js';
import { failureView } from '../parts/failure.js';
import { predicateField } from '../parts/predicate-field.js';
import { variableField } from '../parts/variable-field.js';
import { showRows } from '../parts/template-rows.js';
import { texts } from '../texts.js';

const pauseBeforeCheck = 250;

export default {
  title: (address) => address.name || texts.templates.title,

  async show(element, context) {
    const { address, signal } = context;
    const templates = await all(['templates'], { store: address.store, signal });
    if (!templates.length) {
      context.command(['templates']);
      return element.append(h('p', { class: 'empty' }, texts.templates.none));
    }
    const chosen = templates.find((one) => one.name === address.name);
    if (!chosen) context.command(['templates']);
    const pane = h('div', { class: 'template' });
    fill(element, address.name && !chosen && h('p', { class: 'bad' }, texts.templates.noTemplate(address.name)),
      h('div', { class: chosen ? 'templates split' : 'templates' }, templateList(templates, chosen, context), chosen && pane));
    return chosen && showTemplate(pane, chosen, context);
  },
};

function templateList(templates, chosen, { address }) {
  return h('ul', { class: 'template-list', 'aria-label': texts.templates.title }, templates.map((one) => h('li', {},
    h('a', { href: write({ store: address.store, view: 'templates', name: one.name }), 'aria-current': one === chosen ? 'true' : null },
      h('strong', {}, one.name), ' ', h('span', { class: 'quiet' }, one.entity), one.predicate && h('code', {}, one.predicate)),
    one.fault && h('p', { class: 'bad' }, faultText(one.fault)))));
}

function faultText(fault) {
  return typeof fault === 'string' ? fault : fault.message ?? JSON.stringify(fault);
}

async function showTemplate(element, template, context) {
  const { address } = context;
  const result = h('div', { class: 'result' });
  const message = h('div', { class: 'form-fault', 'aria-live': 'polite' });
  let timer;
  context.signal.addEventListener('abort', () => clearTimeout(timer));
  const typed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => check(false), pauseBeforeCheck);
    explanation.outdated();
  };
  const fields = template.variables.map((variable) => variableField({ variable, state: stateOf(variable, address.values), context, onChange: typed }));
  const variables = () => fields.map((field) => field.word());
  const where = () => (refinement.text ? [`--where=${refinement.text}`] : []);
  const sort = address.values.get('sort');
  const words = () => ['apply-template', template.name, ...where(), ...(sort ? [`--sort=${sort}`] : []), ...variables().filter((word) => word !== undefined)];
  const refinement = predicateField({
    entity: template.entity, value: address.values.get('where') ?? '', context, explains: false, onSubmit: () => submit(),
    label: texts.templates.where, hint: texts.templates.whereHint, variables: template.variables,
  });
  const explanation = explainPanel({ context, words });
  let request;

  /** Checks the form by requesting the SQL, which doesn't read rows. */
  async function check(isFinal) {
    // Enter checks the text, so cancel the pending check.
    clearTimeout(timer);
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    if (!isFinal && variables().includes(undefined)) return fields.forEach((field) => field.word() === undefined && field.mark(undefined));
    try {
      await all(['explain', ...words()], { store: address.store, signal });
      if (!signal.aborted) markAll([]);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof Failure)) throw error;
      markAll(error.diagnostics);
      return false;
    }
  }

  /** Shows each diagnostic at the field of its variable, and the others below the form. */
  function markAll(diagnostics) {
    const names = (one, name) => one.message.includes(`'${name}'`) || one.notes?.includes(`in '${name}'`);
    const inWhere = diagnostics.filter((one) => one.notes?.includes('in --where'));
    refinement.mark({ diagnostics: inWhere });
    const others = diagnostics.filter((one) => !inWhere.includes(one) && !fields.some((field) => names(one, field.name)));
    for (const field of fields) {
      const own = diagnostics.find((one) => !inWhere.includes(one) && names(one, field.name));
      field.mark(own && (own.code === 'template.missing-variable' ? texts.templates.missing : [own.message, ...(own.help ?? [])].join(' — ')));
    }
    fill(message, others.length > 0 && failureView(new Failure(others)));
  }

  async function submit(event) {
    event?.preventDefault();
    if (!await check(true)) return element.querySelector('[aria-invalid=true]')?.focus();
    const values = fields.flatMap((field) => addressValue(field));
    return context.go({ view: 'templates', name: template.name, values: new URLSearchParams([...values, ['where', refinement.text], ['run', '1']]) });
  }

  const form = h('form', { class: 'variables', onsubmit: submit },
  fields.map((field) => field.element), message,
  h('div', { class: 'toolbar' }, h('button', { type: 'submit', class: 'primary' }, texts.templates.run), explanation.button));

  element.append(
    h('p', {},  h('a', { href: write({ store: address.store, view: 'rows', name: template.entity }) }, template.entity),
      template.limit ? ` · ${texts.templates.limit(template.limit)}` : ''),
    template.predicate ? h('pre', { class: 'code', tabindex: '0', 'aria-label': texts.templates.predicate }, template.predicate) : '',
    form, refinement, explanation.panel, result);
  context.command(words());
  // A template without variables runs immediately.
  const isAsked = address.values.get('run') === '1' || !fields.length;
  if (!isAsked || !await check(true)) return;
  await showRows(result, template, [...where(), ...variables()], context);
}

function stateOf({ name }, values) {
  const expression = values.get(`$${name}:`);
  return expression == null ? { text: values.get(`$${name}`) ?? '' } : { text: expression, isExpression: true };
}

function addressValue(field) {
  const { text, isExpression } = field.state();
  return text === '' ? [] : [[`$${field.name}${isExpression ? ':' : ''}`, text]];
}
