// Reads the SVG that storetool writes, and builds only what a picture needs.
//
// The browser's parser would require a Trusted Types policy, and also accepts scripts, styles and links. This parser
// supports a small part of XML: elements, attributes, text and the five predefined entities. Everything else is
// ignored, or is an error.

import { s } from '../dom.js';

const elements = ['svg', 'g', 'title', 'rect', 'path', 'polygon', 'polyline', 'ellipse', 'text', 'tspan'];
const attributes = new Set([
  'width', 'height', 'viewBox', 'class', 'transform', 'x', 'y', 'dx', 'dy', 'd', 'points', 'cx', 'cy', 'rx', 'ry',
  'fill', 'stroke', 'stroke-dasharray', 'stroke-width', 'text-anchor', 'font-family', 'font-size', 'font-weight',
  'font-style', 'text-decoration', 'opacity', 'fill-opacity', 'stroke-opacity',
]);
const entities = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' }));
const token = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*>|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/gy;

/** The SVG element of a text. Throws an error for unsupported markup. */
export function readSVG(text) {
  const top = { children: [] };
  const open = [top];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (!match) throw new SyntaxError(text.slice(start, start + 40));
    const [whole, isEnd, name, list, isEmpty] = match;
    if (!name) {
      if (!whole.startsWith('<') && whole.trim()) open.at(-1).children.push(unescaped(whole));
    } else if (isEnd) {
      if (open.length < 2 || open.pop().name !== name) throw new SyntaxError(whole);
    } else {
      const node = { name, attributes: list, children: [] };
      open.at(-1).children.push(node);
      if (!isEmpty) open.push(node);
    }
  }
  const svg = top.children.find((node) => node.name === 'svg');
  if (open.length !== 1 || !svg) throw new SyntaxError('svg');
  return built(svg);
}

function built(node) {
  if (typeof node === 'string') return node;
  // The content of a link is drawn, but not the link.
  if (node.name === 'a') return node.children.map(built);
  if (!elements.includes(node.name)) return [];
  return s(node.name, kept(node.attributes), node.children.map(built));
}

function kept(list) {
  const found = [...list.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return Object.fromEntries(found
    .map(([, name, value, other]) => [name, unescaped(value ?? other)])
    .filter(([name, value]) => attributes.has(name) && !/url\s*\(/i.test(value)));
}

function unescaped(text) {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name) return entities.get(name) ?? whole;
    const code = Number.parseInt(decimal ?? hexadecimal, decimal ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
