// The key paths that a chooser offers: an entity's own, and those one to-one relationship away.

import { h } from '../dom.js';

/** The key paths of an entity, then of the destinations of its to-one relationships: [{title, paths: [{path, type}]}]. */
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

/** Whether values of a type are data, which can't be sorted or entered as text. */
export function isData(type) {
  return ['Binary', 'Transformable', 'Undefined'].includes(type);
}

/** The properties of an entity that can be columns: attributes and to-one relationships. */
export function columnsOf(entity) {
  return [...entity.attributes, ...entity.relationships.filter((one) => !one.toMany && !one.transient)];
}

function attributePaths(entity, prefix) {
  return (entity?.attributes ?? []).map(({ path, type }) => ({ path: prefix + path, type }));
}

/** A choice of a key path. `value` is added if `groups` doesn't contain it. */
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
