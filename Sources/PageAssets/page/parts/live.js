// Functions of views that are updated while other programs write to the store.

const pause = 250;

/**
 * Returns a function that runs the work, but never concurrently, and at most once in `pause` milliseconds. If it is called while the work runs,
 * the work runs once more.
 *
 * The work must show its own errors.
 */
export function onceAtATime(work, signal) {
  let isRunning = false;
  let isAsked = false;
  let ended = -pause;
  return async function ask() {
    isAsked = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isAsked && !signal.aborted) {
        const rest = ended + pause - performance.now();
        if (rest > 0) await new Promise((resolve) => { setTimeout(resolve, rest); });
        isAsked = false;
        if (!signal.aborted) await work();
        ended = performance.now();
      }
    } finally {
      isRunning = false;
    }
  };
}

/** Draws a part of the page again. The focused element, or the element at the same position, is then focused again. */
export function keepingFocus(element, draw) {
  const focusable = () => [...element.querySelectorAll('a[href], button, input, select, summary, [tabindex]')];
  const place = focusable().indexOf(document.activeElement);
  const active = place < 0 ? null : document.activeElement;
  draw();
  if (!active || document.activeElement === active) return;
  (active.isConnected ? active : focusable()[place])?.focus({ preventScroll: true });
}
