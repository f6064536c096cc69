// The primary keys of all rows of a request, in their order: eight bytes a row, and any place is known at once.

import { run } from '../api.js';

/** So many fit into a tab; more than this nobody scrolls through. */
export const mostKeys = 10_000_000;

export class RowKeys {
  #keys = new Float64Array(4096);
  count = 0;

  at(index) {
    return this.#keys[index];
  }

  slice(from, to) {
    return Array.from(this.#keys.subarray(Math.max(0, from), Math.min(to, this.count)));
  }

  indexOf(key) {
    return this.#keys.subarray(0, this.count).indexOf(key);
  }

  add(keys) {
    if (this.count + keys.length > this.#keys.length) {
      const larger = new Float64Array(Math.max(this.#keys.length * 2, this.count + keys.length));
      larger.set(this.#keys.subarray(0, this.count));
      this.#keys = larger;
    }
    this.#keys.set(keys, this.count);
    this.count += keys.length;
  }
}

/**
 * Lists the keys.
 *
 * - onProgress: told {count, share} some times a second; share is undefined where nothing is known of it.
 * - Returns: {keys, isWhole}; they are not whole where there are too many.
 */
export async function listKeys(words, { store, signal, onProgress, into = new RowKeys() }) {
  let rows = 0;
  let scanned = 0;
  for await (const line of run(['page-keys', ...words], { store, signal })) {
    if (line.rows !== undefined) rows = line.rows;
    if (line.scanned !== undefined) scanned = line.scanned;
    if (line.keys) into.add(line.keys);
    onProgress?.({ count: into.count, share: rows ? Math.min(1, Math.max(scanned, into.count) / rows) : undefined });
    if (into.count >= mostKeys) return { keys: into, isWhole: false };
  }
  return { keys: into, isWhole: true };
}
