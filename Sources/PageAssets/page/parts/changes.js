// Tells views that somebody has written to the store.

import { Failure, run } from '../api.js';

const pauseBeforeAnother = 2000;

/**
 * Follows a store until the signal aborts; nothing is followed while nobody sees the page.
 *
 * - onChange: called after each change, once when the page is seen again, and when the store is gone or there again.
 * - onServer(isThere): called whether the server can be reached, each time that this is known.
 */
export function followChanges(store, signal, { onChange, onServer }) {
  let stop;

  async function follow(isAgain) {
    stop = new AbortController();
    const { signal: stopped } = stop;
    let hasFailed = false;
    // The first record says how things are, not that they have changed.
    let isMissed = isAgain;
    while (!stopped.aborted) {
      try {
        for await (const { change } of run(['page-changes'], { store, signal: stopped })) {
          onServer(true);
          hasFailed = false;
          if (change > 0 || isMissed) onChange();
        }
      } catch (error) {
        if (stopped.aborted) return;
        onServer(error instanceof Failure);
        // What is wrong with the store the views say when they read again.
        if (error instanceof Failure && !hasFailed) onChange();
        hasFailed = true;
      }
      isMissed = true;
      await new Promise((resolve) => { setTimeout(resolve, pauseBeforeAnother); });
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
