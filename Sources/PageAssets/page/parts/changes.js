// Notifies views of changes to the store.

import { Failure, run } from '../api.js';

const pauseBeforeAnother = 2000;

/**
 * Follows a store until the signal aborts. It isn't followed while the page is hidden.
 *
 * - onState(hash, isChange): called with the first state, after each change, when the page is visible again, and when the store can't be
 *   read or can be read again. The hash is a digest of its model's hashes, or undefined.
 * - onServer(isThere): called with whether the server can be reached, each time that this is determined.
 * - Returns: a promise that is resolved when changes are followed, or when this has failed or the page is hidden.
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
