// The page requests that the server runs commands. A request consists of the arguments of a command (`words`).

import { texts } from './texts.js';

/** The failure of a command, with the diagnostics that it prints with `--format ndjson`. */
export class Failure extends Error {
  constructor(diagnostics, status) {
    super(diagnostics[0]?.message ?? '');
    this.diagnostics = diagnostics;
    this.status = status;
  }

  /** Whether the same request can succeed later, because the failure is about the state of the store. */
  get mayPass() {
    return this.diagnostics.some(({ code }) => /^store\.(locked|written-meanwhile|timed-out|not-found|damaged)$/.test(code ?? ''));
  }
}

/**
 * Runs a command, and yields each line of its output: the value of the line, or its text if the output isn't JSON.
 *
 * The command ends if the loop is left or the signal is aborted.
 *
 * - words: the arguments after `storetool`, without --store, --model and --format, which the server adds.
 * - store: the index of the store in the page's list of stores.
 * - ticket: for a command that writes, the ticket from onEnd of its dry run.
 * - onProgress: called several times per second with the milliseconds that the command has run.
 * - onNote: called with each diagnostic that isn't an error.
 * - onEnd: called with {status, ms, ticket}.
 */
export async function* run(words, { store = 0, ticket, signal, onProgress, onNote, onEnd } = {}) {
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    const response = await fetch('api/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ store, words, ticket }),
      signal: stop.signal,
    });
    if (!response.ok) throw new Failure([{ severity: 'error', message: await response.text() }], response.status);
    const problems = [];
    let hasEnded = false;
    for await (const frame of lines(response.body)) {
      if ('row' in frame) yield frame.row;
      else if ('text' in frame) yield frame.text;
      else if (frame.progress) onProgress?.(frame.progress);
      else if (frame.diagnostic) {
        if (frame.diagnostic.severity === 'error') problems.push(frame.diagnostic);
        // A model in the store is as reliable as a file, so its note isn't shown. Notes about a guessed model or another version are.
        else if (frame.diagnostic.code !== 'model.carried') onNote?.(frame.diagnostic);
      } else if (frame.end) {
        hasEnded = true;
        onEnd?.(frame.end);
        if (problems.length) throw new Failure(problems, frame.end.status);
      }
    }
    // If the server ends early, an incomplete answer must not be mistaken for a complete one.
    if (!hasEnded) throw new TypeError(texts.run.brokenOff);
  } finally {
    signal?.removeEventListener('abort', abort);
    stop.abort();
  }
}

/** The whole output of a command, as an array of its lines. */
export async function all(words, options) {
  const rows = [];
  for await (const row of run(words, options)) rows.push(row);
  return rows;
}

/** The complete value of one attribute, as a Blob. */
export async function bytes(words, { store = 0, signal } = {}) {
  const response = await fetch('api/bytes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ store, words }),
    signal,
  });
  if (!response.ok) throw new Failure((await response.text()).split('\n').filter(Boolean).map(diagnosticOf), response.status);
  return response.blob();
}

/** The diagnostic in a line, which is JSON or a sentence. */
function diagnosticOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { severity: 'error', message: line };
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // The parts of a line whose end hasn't arrived yet.
  let begun = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const [end, ...parts] = value.split('\n');
    begun.push(end);
    if (!parts.length) continue;
    const line = begun.join('');
    if (line) yield parsed(line);
    begun = [parts.pop()];
    for (const part of parts) if (part) yield parsed(part);
  }
  const line = begun.join('');
  if (line) yield parsed(line);
}

/** The value of a line. Numbers that JavaScript would round become strings. */
function parsed(line) {
  return /\d{16}/.test(line) ? JSON.parse(line, exact) : JSON.parse(line);
}

function exact(key, value, { source } = {}) {
  if (typeof value !== 'number' || !/^-?\d+(\.\d+)?$/.test(source)) return value;
  const digits = source.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return digits.replace(/^-?0?\.?0*|\./g, '').length > 15 && String(value) !== digits ? source : value;
}
