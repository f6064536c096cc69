// The key paths that a chooser offers: an entity's own, and those one to-one relationship away.

import { h } from '../dom.js';

/** Groups of {path, type}: those of the entity first, then those of each destination. */
export function keyPaths(model, entityName) {
  const entity = entityNamed(model, entityName);
  if (!entity) return [];
  const toOnes = columnsOf(entity).filter((one) => one.destination);
  return [
    { title: entity.name, paths: [...attributePaths(entity, ''), ...toOnes.map(({ path, destination }) => ({ path, type: destination, destination }))] },
    ...toOnes.map((one) => ({ title: `${one.name} (${one.destination})`, paths: attributePaths(entityNamed(model, one.destination), `${one.path}.`) })),
  ].filter((group) => group.paths.length);
}

export function entityNamed(model, name) {
  return model?.entities.find((one) => one.name === name);
}

export function isNumeric(type) {
  return /^(Integer|Decimal|Double|Float)/.test(type ?? '');
}

/** What has no order and is not typed. */
export function isData(type) {
  return ['Binary', 'Transformable', 'Undefined'].includes(type);
}

/** Attributes and to-one relationships, which are columns. */
export function columnsOf(entity) {
  return [...entity.attributes, ...entity.relationships.filter((one) => !one.toMany && !one.transient)];
}

function attributePaths(entity, prefix) {
  return (entity?.attributes ?? []).map(({ path, type }) => ({ path: prefix + path, type }));
}

/** A choice among key paths; `value` is kept even where the model does not list it. */
export function keyPathSelect(groups, value, { none, filter = () => true, ...attributes } = {}) {
  const isListed = groups.some((group) => group.paths.some((one) => one.path === value));
  const select = h('select', attributes,
    none != null && h('option', { value: '' }, none),
    value && !isListed && h('option', { value }, value),
    groups.map((group) => {
      const paths = group.paths.filter(filter);
      return paths.length > 0 && h('optgroup', { label: group.title }, paths.map((one) => h('option', { value: one.path }, one.path)));
    }));
  select.value = value ?? '';
  return select;
}

/** A choice of the model's entities. */
export function entitySelect(model, value, attributes = {}) {
  const select = h('select', attributes, (model?.entities ?? []).map((one) => h('option', { value: one.name }, one.name)));
  if (value) select.value = value;
  return select;
}
