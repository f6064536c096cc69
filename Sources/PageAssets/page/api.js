// The page asks the server to run commands: the words of a command are the whole request.

import { texts } from './texts.js';

/** Why a command has printed nothing, or not all: its diagnostics, as `--format ndjson` writes them. */
export class Failure extends Error {
  constructor(diagnostics, status) {
    super(diagnostics[0]?.message ?? '');
    this.diagnostics = diagnostics;
    this.status = status;
  }

  /** Whether it is about the store as it is now, not about the request. */
  get mayPass() {
    return this.diagnostics.some(({ code }) => /^store\.(locked|timed-out|not-found|damaged)$/.test(code ?? ''));
  }
}

/**
 * Runs a command, and gives each line that it prints as a value, or as a text where it prints no JSON.
 *
 * Leaving the loop, or aborting the signal, ends the command.
 *
 * - words: as behind `storetool`, without --store, --model and --format, which the server adds.
 * - store: its place among those that are served.
 * - ticket: what the dry run has given for the same words without --dry-run.
 * - onProgress: told how many milliseconds it has run, some times a second.
 * - onNote: told each diagnostic that is no error.
 * - onEnd: told {status, ms, ticket}.
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
        // That the store carries its model is as good as a file of it; that one was guessed, or is of another version, is not.
        else if (frame.diagnostic.code !== 'model.carried') onNote?.(frame.diagnostic);
      } else if (frame.end) {
        hasEnded = true;
        onEnd?.(frame.end);
        if (problems.length) throw new Failure(problems, frame.end.status);
      }
    }
    // Of a server that ends in the midst a part of the answer would pass for all of it.
    if (!hasEnded) throw new TypeError(texts.run.brokenOff);
  } finally {
    signal?.removeEventListener('abort', abort);
    stop.abort();
  }
}

/** All that a command prints. */
export async function all(words, options) {
  const rows = [];
  for await (const row of run(words, options)) rows.push(row);
  return rows;
}

/** The value of one attribute, whole. */
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

/** A line of JSON, or a sentence. */
function diagnosticOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { severity: 'error', message: line };
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // Of a long line many parts come before its end.
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

/** Numbers that JavaScript would round are kept as their text. */
function parsed(line) {
  return /\d{16}/.test(line) ? JSON.parse(line, exact) : JSON.parse(line);
}

function exact(key, value, { source } = {}) {
  if (typeof value !== 'number' || !/^-?\d+(\.\d+)?$/.test(source)) return value;
  const digits = source.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  return digits.replace(/^-?0?\.?0*|\./g, '').length > 15 && String(value) !== digits ? source : value;
}
