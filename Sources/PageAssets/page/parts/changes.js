// Tells views that somebody has written to the store.

import { run } from '../api.js';

/**
 * Follows a store until the signal aborts; nothing is followed while nobody sees the page.
 *
 * - onChange: called after each change, and once when the page is seen again.
 */
export function followChanges(store, signal, onChange) {
  let stop;

  async function follow(isAgain) {
    stop = new AbortController();
    const { signal: stopped } = stop;
    try {
      for await (const { change } of run(['page-changes'], { store, signal: stopped })) {
        if (change > 0 || isAgain) onChange();
      }
    } catch {
      // What is wrong with the store, or the server, the view says when it reads again.
    }
  }

  function look() {
    if (document.visibilityState === 'hidden') stop?.abort();
    else if (!stop || stop.signal.aborted) follow(Boolean(stop));
  }

  document.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', () => stop?.abort());
  look();
}
