// Loads the visible rows in chunks, the latest request first.

import { run } from '../api.js';

const mostRows = 4000;
const mostRequests = 2;

/**
 * Caches rows by their keys.
 *
 * - onRows: called when rows have been read.
 * - onColumns(columns): called with the columns of each answer. Returns false if its rows must be ignored.
 */
export class RowCache {
  #rows = new Map();
  #wanted = [];
  #requests = new Set();

  constructor(words, { store, signal, onRows, onColumns, onError }) {
    Object.assign(this, { words, store, onRows, onColumns, onError });
    signal.addEventListener('abort', () => this.close());
  }

  /** The row with a key, null if it was deleted, or undefined if it hasn't been read yet. */
  get(key) {
    return this.#rows.get(key);
  }

  put(row) {
    this.#rows.delete(row.key);
    this.#rows.set(row.key, row);
  }

  /** Marks all rows as outdated. They are returned until they have been read again. */
  renew() {
    this.close();
    this.#rows = new Map([...this.#rows].map(([key, row]) => [key, row && { ...row, isOld: true }]));
  }

  /** Requests the visible rows. Earlier requests that don't contain any of them are cancelled. */
  want(keys) {
    this.#wanted = keys.filter((key) => {
      const row = this.#rows.get(key);
      return (row === undefined || row?.isOld) && ![...this.#requests].some((one) => one.keys.has(key));
    });
    if (!this.#wanted.length) return;
    const inView = new Set(keys);
    for (const request of this.#requests) {
      if (![...request.keys].some((key) => inView.has(key))) request.stop.abort();
    }
    this.#ask();
  }

  /** Waits until all requests have ended. */
  async idle() {
    while (this.#requests.size) await Promise.race([...this.#requests].map((request) => request.done));
  }

  close() {
    for (const request of this.#requests) request.stop.abort();
    this.#requests.clear();
    this.#wanted = [];
  }

  #ask() {
    if (!this.#wanted.length || this.#requests.size >= mostRequests) return;
    const request = { keys: new Set(this.#wanted), stop: new AbortController() };
    this.#wanted = [];
    this.#requests.add(request);
    request.done = this.#read(request);
  }

  async #read(request) {
    try {
      const missing = new Set(request.keys);
      for await (const row of run(['page-rows', ...this.words, `--keys=${[...request.keys].join(',')}`], { store: this.store, signal: request.stop.signal })) {
        if (row.columns && !this.onColumns(row.columns)) return;
        if (row.columns) continue;
        missing.delete(row.key);
        this.put(row);
      }
      for (const key of missing) this.#rows.set(key, null);
      this.#forget();
      this.onRows();
    } catch (error) {
      if (!request.stop.signal.aborted) this.onError(error);
    } finally {
      this.#requests.delete(request);
      this.#ask();
    }
  }

  #forget() {
    for (const key of this.#rows.keys()) {
      if (this.#rows.size <= mostRows) return;
      this.#rows.delete(key);
    }
  }
}
