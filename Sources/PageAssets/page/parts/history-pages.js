// Pages of a persistent history, the latest first. The command lists the oldest transaction first, so a page is
// requested with the token before its first transaction, and ends at its last one.

import { all, run } from '../api.js';

const perPage = 50;
/** The number of tokens that are read first. It is doubled each time that too few transactions match. */
const firstWindow = 100;

/** {transactions, changes, lastTransaction, first, last, entities}. Throws if there is no history. */
export async function statistics(options) {
  const [facts] = await all(['history', '--statistics'], options);
  return facts;
}

/**
 * The transactions up to a token: {transactions, next}. `next` is the token to continue with, or null if the page reaches `since`.
 *
 * - filters: options such as --entity=Item.
 * - since: the requested lower bound, which is a token or 0.
 * - onWindow: called with the first and the last token that is read.
 */
export async function page({ upTo, since = 0, filters, options, onWindow }) {
  let window = firstWindow;
  let end = upTo;
  let found = [];
  while (end > since && found.length < perPage) {
    const start = Math.max(since, end - window);
    onWindow?.(start + 1, end);
    const part = [];
    for await (const one of run(['history', `--since=${start}`, ...filters], options)) {
      if (one.transaction > end) break;
      part.push(one);
      // Show the latest transactions. An additional one means that there are more.
      if (part.length > perPage + 1) part.shift();
    }
    found = [...part, ...found].slice(-perPage - 1);
    end = start;
    window *= 2;
  }
  // A large window can contain more transactions than a page shows.
  const shown = found.slice(-perPage).reverse();
  const next = found.length > perPage ? shown.at(-1).transaction - 1 : end > since ? end : null;
  return { transactions: shown, next };
}

/** The changes of one transaction, at most `most`: {changes, isWhole}. */
export async function changesOf(transaction, { filters, options, most }) {
  const changes = [];
  for await (const one of run(['history', '--changes', `--since=${transaction - 1}`, ...filters], options)) {
    if (one.transaction > transaction) break;
    if (changes.length === most) return { changes, isWhole: false };
    changes.push(one);
  }
  return { changes, isWhole: true };
}

/** The token before a date, or the token that `since` already is. Null if there are no later transactions. */
export async function tokenOf(since, options) {
  if (!since) return 0;
  if (/^\d+$/.test(since)) return Number(since);
  for await (const one of run(['history', `--since=${since}`], options)) return one.transaction - 1;
  return null;
}
