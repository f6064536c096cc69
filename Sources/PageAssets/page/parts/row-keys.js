// The primary keys of all rows of a request, in their order. A key takes eight bytes, and the key at any index is available immediately.

import { run } from '../api.js';

/** The maximum number of keys, which fit into the memory of a tab. */
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
 * - onProgress: called several times per second with {count, share}. The share is undefined if the number of rows isn't known.
 * - Returns: {keys, isWhole}. isWhole is false if the maximum number was reached.
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
