// Notifies views of changes to the store.

import { Failure, run } from '../api.js';

const pauseBeforeAnother = 2000;

/**
 * Follows a store until the signal aborts; nothing is followed while nobody sees the page.
 *
 * - onState(hash, isChange): called when it is first seen, after each change, once when the page is seen again, and when the store is gone
 *   or there again; hash is a sum over its model's hashes, or undefined.
 * - onServer(isThere): called whether the server can be reached, each time that this is known.
 * - Returns: a promise of when each change is seen from then on, or of when none is.
 */
export function followChanges(store, signal, { onState, onServer }) {
  let stop;
  const { promise, resolve } = Promise.withResolvers();
  // The first record reports the state, not a change, unless changes were missed.
  let isMissed = false;

  async function follow() {
    stop = new AbortController();
    const { signal: stopped } = stop;
    let hasFailed = false;
    while (!stopped.aborted) {
      try {
        for await (const { change, model } of run(['page-changes'], { store, signal: stopped })) {
          onServer(true);
          hasFailed = false;
          onState(model ?? undefined, change > 0 || isMissed);
          resolve();
        }
      } catch (error) {
        if (stopped.aborted) return;
        onServer(error instanceof Failure);
        // The views show the errors of the store when they read it again.
        if (error instanceof Failure && !hasFailed) onState(undefined, true);
        hasFailed = true;
        resolve();
      }
      isMissed = true;
      await new Promise((done) => { setTimeout(done, pauseBeforeAnother); });
    }
  }

  function look() {
    if (document.visibilityState === 'hidden') {
      stop?.abort();
      isMissed = true;
      resolve();
    } else if (!stop || stop.signal.aborted) follow();
  }

  document.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', () => {
    stop?.abort();
    resolve();
  });
  look();
  return promise;
}
