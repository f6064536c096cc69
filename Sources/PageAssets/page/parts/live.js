// Functions of views that are updated while other programs write to the store.

const pause = 250;

/**
 * Runs some work once at a time, and some times a second at most, however often it is asked for; asked for while it runs, it runs once more.
 *
 * What the work throws, it has to show itself.
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

/** Draws a part of the page anew; what had the focus in it, or stands in its place then, has it again. */
export function keepingFocus(element, draw) {
  const focusable = () => [...element.querySelectorAll('a[href], button, input, select, summary, [tabindex]')];
  const place = focusable().indexOf(document.activeElement);
  const active = place < 0 ? null : document.activeElement;
  draw();
  if (!active || document.activeElement === active) return;
  (active.isConnected ? active : focusable()[place])?.focus({ preventScroll: true });
}
