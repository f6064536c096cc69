// Elements of the page. Text of a store only ever becomes a text node or a property, never markup.

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * An element: h('a', {href: '#/', class: 'quiet', onclick: f, 'aria-label': 'Entities'}, 'text', child, …).
 *
 * Functions are listeners, true and false set and leave out an attribute, null and undefined leave out both
 * attributes and children; lists of children are taken apart.
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(svgNamespace, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
    else if (name === 'value' && 'value' in element) element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/** Puts children in the place of what an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}
