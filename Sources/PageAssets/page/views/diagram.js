// The diagram of the model. Each entity is a link to its rows.

import { write } from '../address.js';
import { all } from '../api.js';
import { h, s } from '../dom.js';
import { entitySelect } from '../parts/key-paths.js';
import { panZoom } from '../parts/pan-zoom.js';
import { readSVG } from '../parts/svg-reader.js';
import { texts } from '../texts.js';

/** For each light color of the diagram, the class whose color the page uses instead. */
const classes = new Map([
  ['#1f2328', 'ink'], ['#59636e', 'quiet'], ['#ffffff', 'box'], ['white', 'box'], ['#ddf4ff', 'head'], ['#fbefff', 'composite-head'], ['#818b98', 'line'],
]);

export default {
  title: () => texts.diagram.title,

  async show(element, context) {
    const { address, signal } = context;
    context.command(['model', 'diagram', '--format=svg']);
    const [text] = await all(['page-diagram'], { store: address.store, signal });
    const svg = colored(readSVG(text));
    const size = sizeOf(svg);
    link(svg, context);
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', texts.diagram.picture(context.model?.version ?? ''));
    svg.removeAttribute('width');
    svg.removeAttribute('height');

    const frame = h('div', { class: 'diagram', tabindex: '0', role: 'region', 'aria-label': texts.diagram.frame, 'aria-describedby': 'diagram-keys' }, svg);
    const button = (label, title, action) => h('button', { type: 'button', title, 'aria-label': title, onclick: () => action() }, label);
    const zoomed = h('output', { class: 'zoom' });
    const finder = entitySelect(context.model, '', { onchange: () => find(finder.value) });
    finder.prepend(h('option', { value: '' }, ''));
    finder.value = '';
    element.append(
      h('div', { class: 'toolbar diagram-tools' },
        button('−', texts.diagram.smaller, () => view.zoom(0.8)),
        button('+', texts.diagram.larger, () => view.zoom(1.25)),
        button(texts.diagram.fit, texts.diagram.fitTitle, () => view.fit()),
        zoomed,
        h('label', {}, texts.diagram.find, ' ', finder),
        h('span', { id: 'diagram-keys', class: 'quiet' }, texts.diagram.keys)),
      frame);

    const view = panZoom(frame, svg, { size, onMove: ({ scale }) => { zoomed.textContent = `${Math.round(scale * 100)} %`; } });
    // The listener isn't added to the SVG, because Chromium makes an SVG element with a focus listener focusable.
    frame.addEventListener('focusin', (event) => {
      if (event.target.matches('a:focus-visible')) view.reveal(event.target);
    });
    signal.addEventListener('abort', () => view.stop());

    function find(name) {
      const anchor = [...svg.querySelectorAll('a.entity-link')].find((one) => one.dataset.entity === name);
      for (const one of svg.querySelectorAll('.found')) one.classList.remove('found');
      if (!anchor) return;
      anchor.classList.add('found');
      view.center(anchor);
    }
  },
};

/** Replaces the colors by classes, so that the diagram is dark on a dark page. */
function colored(svg) {
  for (const node of svg.querySelectorAll('*')) {
    for (const name of ['fill', 'stroke']) {
      const color = node.getAttribute(name);
      const ours = classes.get(color);
      if (ours) node.classList.add(`${name}-${ours}`);
    }
    if (node.localName === 'text' && !node.hasAttribute('fill')) node.classList.add('fill-ink');
  }
  return svg;
}

function sizeOf(svg) {
  const [x, y, width, height] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  return height > 0 ? { x, y, width, height } : { x: 0, y: 0, width: svg.width.baseVal.value || 300, height: svg.height.baseVal.value || 150 };
}

/** Wraps the elements of each entity in a link to its rows. */
function link(svg, { address, model }) {
  const entities = new Map((model?.entities ?? []).map((one) => [one.name, one]));
  for (const group of svg.querySelectorAll('g.entity')) {
    // The name of the entity is the bold text.
    const name = [...group.querySelectorAll('[font-weight=bold]')].map((node) => node.textContent.trim()).find((text) => entities.has(text));
    const title = group.querySelector('title');
    if (!name) continue;
    title?.remove();
    const anchor = s('a', {
      'data-entity': name, href: write({ store: address.store, view: 'rows', name }), class: 'entity-link', 'aria-label': texts.diagram.rowsOf(name) });
    group.replaceWith(anchor);
    anchor.append(group, frameOf(group));
  }
}

/** A frame around the box of an entity, which shows focus and hover. */
function frameOf(group) {
  const box = group.querySelector('rect') ?? group.querySelector('polygon');
  const outline = box.cloneNode();
  const polygons = [...group.querySelectorAll('polygon')];
  const whole = polygons.find((one) => one.getAttribute('fill') === 'none') ?? box;
  const shape = whole === box ? outline : whole.cloneNode();
  shape.setAttribute('class', 'outline');
  shape.setAttribute('fill', 'none');
  shape.removeAttribute('stroke');
  return shape;
}
