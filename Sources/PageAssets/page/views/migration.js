// Shows the plan of a migration: the path, the losses, the costs, and the steps with their SQL.

import { Failure, all } from '../api.js';
import { fill, h } from '../dom.js';
import { commandToRun } from '../parts/command-to-run.js';
import { failureView } from '../parts/failure.js';
import { onceAtATime } from '../parts/live.js';
import { originFacts, storeFacts } from '../parts/store-facts.js';
import { texts } from '../texts.js';

export default {
  title: () => texts.migration.title,

  async show(element, context) {
    const { address, signal } = context;
    const to = address.values.get('to') ?? '';
    const allowed = (address.values.get('allow') ?? '').split(',').filter(Boolean);
    const target = [...(to ? [`--to=${to}`] : []), ...(allowed.length ? [`--allow-loss=${allowed.join(',')}`] : [])];
    const options = { store: address.store, signal };
    context.command(['migrate', 'plan', ...target]);

    const versions = h('div', { class: 'versions' });
    const plan = h('div', { class: 'plan-view' });
    element.append(versions, plan);
    let shown;
    const showing = async () => {
      const [status] = await all(['migrate', 'status'], options);
      // Planning reads many rows, so the plan is only updated if the version of the store changes.
      if (status.version === shown) return;
      shown = status.version;
      fill(versions, versionLine(status, to, context));
      plan.setAttribute('aria-busy', 'true');
      plan.replaceChildren(h('p', { class: 'quiet' }, texts.migration.planning));
      const [facts] = await all(['migrate', 'plan', ...target], options);
      fill(plan, planView(facts, { to, allowed, target }, context));
    };
    const show = onceAtATime(async () => {
      try {
        await showing();
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Failure)) throw error;
        shown = undefined;
        fill(plan, failureView(error, context.again));
        // A plan requires a model in files. The store names the version that wrote it.
        if (versions.childElementCount) return;
        const [info] = await all(['info'], options).catch(() => []);
        if (info) fill(versions, storeFacts(info, originFacts));
      } finally {
        plan.removeAttribute('aria-busy');
      }
    }, signal);
    context.onChange(show);
    await show();
  },
};

function goTo({ to, allowed }, { go }) {
  go({ view: 'migration', values: { to, allow: allowed.join(',') } });
}

function versionLine({ version, target, model }, to, context) {
  const choose = () => goTo({ to: chosen.value, allowed: [] }, context);
  const chosen = versionChoice(context.model?.versions ?? [], to, { version, target }, choose);
  return [
    version && h('dl', { class: 'facts' },
      h('dt', {}, texts.migration.version), h('dd', {}, h('strong', {}, version)),
      h('dt', {}, texts.migration.current), h('dd', {}, h('strong', {}, target)),
      h('dt', {}, texts.migration.model), h('dd', {}, model)),
    h('div', { class: 'filters' }, h('label', {}, texts.migration.to, ' ', chosen)),
  ];
}

/** A choice of the target version. An unknown version from the address is also listed, and the plan reports the error. */
function versionChoice(versions, to, { version, target }, onchange) {
  const select = h('select', { name: 'to', onchange },
    h('option', { value: '' }, texts.migration.currentVersion(target)),
    [...new Set([...versions, to])].filter((name) => name && name !== version && (name !== target || name === to)).map((name) => h('option', { value: name }, name)));
  select.value = to;
  return select;
}

function planView(plan, asked, context) {
  if (!plan.pending) return h('p', { class: 'empty' }, texts.migration.nothing(plan.version));
  const refused = [...(plan.problems ?? []), ...(plan.losses ?? []).filter((loss) => !loss.allowed)].length > 0;
  const words = ['migrate', 'run', ...asked.target];
  return [
    h('section', {}, h('h2', {}, texts.migration.path), h('ol', { class: 'path' }, plan.path.map(legView))),
    lossSection(plan, asked, context),
    problemSection(plan.problems),
    plan.notes?.length > 0 && h('section', {}, h('h2', {}, texts.migration.notes), h('ul', {}, plan.notes.map((note) => h('li', {}, note)))),
    costSection(plan),
    straightSection(plan),
    h('section', {}, h('h2', {}, texts.migration.tables), tableOfTables(plan.tables)),
    h('section', {}, h('h2', {}, texts.migration.proofs), h('p', { class: 'quiet' }, texts.migration.proofsNote),
      h('ul', { class: 'proofs' }, plan.proofs.map(({ subject, columns }) => h('li', {}, h('strong', {}, subject), ' ', h('span', { class: 'quiet' }, columns.join(', ')))))),
    h('section', {}, h('h2', {}, texts.migration.steps(plan.steps.length)), h('ol', { class: 'steps' }, plan.steps.map(stepView))),
    h('section', { class: 'run' }, h('h2', {}, texts.migration.run), h('p', { class: refused ? 'bad' : 'quiet' }, refused ? texts.migration.refused : texts.migration.ready),
      commandToRun(words, context)),
  ];
}

function legView({ from, to, by, over, keeps }) {
  const file = by === 'inference' ? texts.migration.inferred : by.split('/').slice(-2).join('/');
  return h('li', {}, h('strong', {}, from), ' → ', h('strong', {}, to), ' ', h('span', { class: 'quiet', title: by }, file),
    over?.length > 0 && h('span', { class: 'quiet' }, ` ${texts.migration.over(over.join(', '))}`),
    keeps?.length > 0 && h('ul', {}, keeps.map((one) => h('li', {}, one))));
}

/** The losses with a checkbox for each. A change of a checkbox shows the plan with the corresponding --allow-loss. */
function lossSection({ losses = [] }, { to, allowed }, context) {
  if (!losses.length) return h('section', {}, h('h2', {}, texts.migration.losses), h('p', { class: 'good' }, texts.migration.noLoss));
  const names = new Set(losses.filter((loss) => loss.allowed).map((loss) => loss.name));
  const allow = (name, isAllowed) => {
    if (isAllowed) names.add(name);
    else names.delete(name);
    goTo({ to, allowed: [...names] }, context);
  };
  return h('section', {}, h('h2', {}, texts.migration.losses), h('p', { class: 'quiet' }, texts.migration.lossesNote),
    h('ul', { class: 'losses' }, losses.map(({ name, count, allowed: isAllowed }) => h('li', {}, h('label', {},
      h('input', { type: 'checkbox', checked: isAllowed, onchange: (event) => allow(name, event.target.checked) }), ' ',
      h('code', {}, name), ' ', h('span', { class: isAllowed ? 'quiet' : 'bad' }, texts.migration.valuesLost(count)))))),
    allowed.includes('all') && h('p', { class: 'quiet' }, texts.migration.allAllowed));
}

function problemSection(problems) {
  if (!problems?.length) return null;
  return h('section', {}, h('h2', {}, texts.migration.problems), h('ul', { class: 'problems' }, problems.map(({ code, message, count, offenders }) => h('li', { class: 'bad' },
    message, ' ', h('span', { class: 'quiet' }, `${code}${count ? ` · ${texts.plural(count, 'row')}` : ''}`),
    offenders?.length > 0 && h('ul', {}, offenders.map((one) => h('li', {}, h('code', {}, String(one)))))))));
}

function costSection({ diskNeeded, backupBytes, seconds, tables }) {
  const rewritten = (tables ?? []).filter((one) => one.rows != null && one.strategy !== 'unchanged').reduce((sum, one) => sum + one.rows, 0);
  return h('section', {}, h('h2', {}, texts.migration.costs), h('dl', { class: 'facts' },
    h('dt', {}, texts.migration.disk), h('dd', {}, texts.plain.bytes(diskNeeded)),
    h('dt', {}, texts.migration.backup), h('dd', {}, texts.plain.bytes(backupBytes)),
    h('dt', {}, texts.migration.touched), h('dd', {}, texts.plural(rewritten, 'row')),
    h('dt', {}, texts.migration.time), h('dd', {}, texts.migration.seconds(seconds))));
}

/** The problems and losses of the direct path to the target. */
function straightSection({ straightProblems, straightLosses }) {
  if (!straightProblems?.length && !straightLosses?.length) return null;
  return h('details', {}, h('summary', {}, texts.migration.straight),
    h('ul', {}, (straightLosses ?? []).map(({ name, count }) => h('li', {}, h('code', {}, name), ' ', texts.migration.valuesLost(count))),
      (straightProblems ?? []).map(({ message }) => h('li', {}, message))));
}

function tableOfTables(tables) {
  const columns = [texts.migration.from, texts.migration.toTable, texts.migration.strategy, texts.migration.rows, texts.migration.bytes];
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': texts.migration.tables },
    h('table', {}, h('thead', {}, h('tr', {}, columns.map((label, index) => h('th', { scope: 'col', class: index > 2 ? 'number' : '' }, label)))),
      h('tbody', {}, tables.map(({ from, to, strategy, rows, bytes }) => h('tr', {},
        h('td', {}, from && h('code', {}, from)), h('td', {}, to && h('code', {}, to)), h('td', { class: strategy === 'drop' ? 'bad' : '' }, texts.migration.strategies[strategy] ?? strategy),
        h('td', { class: 'number' }, rows?.toLocaleString('en-US') ?? ''), h('td', { class: 'number' }, bytes == null ? '' : texts.plain.bytes(bytes)))))));
}

function stepView({ purpose, effect, sql }) {
  return h('li', {}, h('details', {}, h('summary', {}, purpose, ' ', h('span', { class: 'quiet' }, effect)),
    h('pre', { class: 'code', tabindex: '0', 'aria-label': texts.explain.sql }, sql)));
}
