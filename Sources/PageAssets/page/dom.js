// Elements of the page. Text of a store becomes a text node or a property, but never markup.

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * Creates an element: h('a', {href: '#/', class: 'quiet', onclick: f, 'aria-label': 'Entities'}, 'text', child, …).
 *
 * The values of attributes: a function is a listener, true sets the attribute without a value, and false, null and
 * undefined omit it. Children can be nested arrays; false, null and undefined are omitted.
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Creates an SVG element with the parameters of h(). */
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

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}
