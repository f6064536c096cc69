// Moves and scales a picture with mouse, wheel, touch, keys and buttons.

const most = 8;
const least = 0.05;
const comfortable = 1.25;

/**
 * Lets `frame` show any part of `svg`, which fills it.
 *
 * - size: {x, y, width, height} of the whole picture.
 * - onMove: called after each movement.
 */
export function panZoom(frame, svg, { size, onMove }) {
  const part = { x: size.x, y: size.y, scale: 1 };
  const pointers = new Map();

  function draw() {
    const { width, height } = frame.getBoundingClientRect();
    svg.setAttribute('viewBox', `${part.x} ${part.y} ${width / part.scale} ${height / part.scale}`);
    onMove?.(part);
  }

  /** Shows the whole picture. A small picture is enlarged a little, so that its text is about as large as that of the page. */
  function fit() {
    const { width, height } = frame.getBoundingClientRect();
    part.scale = Math.max(least, Math.min(comfortable, (width - 16) / size.width, (height - 16) / size.height));
    part.x = size.x - (width / part.scale - size.width) / 2;
    part.y = size.y - (height / part.scale - size.height) / 2;
    draw();
  }

  function move(x, y) {
    part.x -= x / part.scale;
    part.y -= y / part.scale;
    draw();
  }

  /** Scales the picture around a point of the window, or around the center of the frame. */
  function zoom(factor, point) {
    const box = frame.getBoundingClientRect();
    const at = { x: (point?.x ?? box.left + box.width / 2) - box.left, y: (point?.y ?? box.top + box.height / 2) - box.top };
    const scale = Math.max(least, Math.min(most, part.scale * factor));
    part.x += at.x / part.scale - at.x / scale;
    part.y += at.y / part.scale - at.y / scale;
    part.scale = scale;
    draw();
  }

  /** Moves an element to the center, and makes it large enough to be read. */
  function center(element) {
    const box = frame.getBoundingClientRect();
    const its = element.getBoundingClientRect();
    move(box.left + box.width / 2 - its.left - its.width / 2, box.top + box.height / 2 - its.top - its.height / 2);
    zoom(Math.max(1, 1 / part.scale));
  }

  /** Moves the picture by the smallest distance that makes an element visible. */
  function reveal(element) {
    const box = frame.getBoundingClientRect();
    const its = element.getBoundingClientRect();
    const shift = (from, to, low, high) => (from < low ? low - from + 12 : to > high ? Math.max(high - to - 12, low - from) : 0);
    const x = shift(its.left, its.right, box.left, box.right);
    const y = shift(its.top, its.bottom, box.top, box.bottom);
    if (x || y) move(x, y);
  }

  frame.addEventListener('wheel', (event) => {
    event.preventDefault();
    // A pinch on a touchpad is a wheel event with Ctrl. A wheel event without Ctrl also zooms, as in maps.
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)), { x: event.clientX, y: event.clientY });
  }, { passive: false });

  frame.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, moved: 0 });
  });
  frame.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const [x, y] = [event.clientX - last.x, event.clientY - last.y];
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    const moved = last.moved + Math.hypot(x, y);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, moved });
    if (moved < 4 && !other) return;
    // From here on, the movement isn't a click on a link.
    if (!frame.hasPointerCapture(event.pointerId)) frame.setPointerCapture(event.pointerId);
    frame.classList.add('moving');
    if (other) {
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      move(x / 2, y / 2);
      if (before > 0) zoom(after / before, { x: (event.clientX + other.x) / 2, y: (event.clientY + other.y) / 2 });
    } else {
      move(x, y);
    }
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    if (!pointers.size) frame.classList.remove('moving');
  };
  frame.addEventListener('pointerup', end);
  frame.addEventListener('pointercancel', end);

  frame.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 200 : 50;
    const actions = {
      ArrowLeft: () => move(step, 0), ArrowRight: () => move(-step, 0), ArrowUp: () => move(0, step), ArrowDown: () => move(0, -step),
      '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), 0: fit,
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });

  const watcher = new ResizeObserver(() => draw());
  fit();
  watcher.observe(frame);
  return { fit, zoom, center, reveal, stop: () => watcher.disconnect() };
}
