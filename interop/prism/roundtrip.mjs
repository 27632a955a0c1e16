#!/usr/bin/env node
// Round trip over the corpus of real documents: generated arguments → the product's request → Prism's validation.
// node roundtrip.mjs [--dir DIR] [--only TEXT] [--all]      Node 24; exit 0 when nothing is unexplained.
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { summarize } from './summarize.mjs';

/** Documents that Prism needs minutes for, if it ever ends. */
const SLOW = ['stripe-2017', 'elastic-serverless', 'hubspot-automation'];
/**
 * Milliseconds until a document must be loaded, and from then until its last operation is judged. Many times what one
 * takes: a slow machine is no fault, and what hangs is still found.
 */
const LOAD_LIMIT_MS = 180_000;
const TRIP_LIMIT_MS = 600_000;

const { values: options } = parseArgs({
  options: { dir: { type: 'string' }, only: { type: 'string' }, all: { type: 'boolean' } },
});
const directory = options.dir ?? new URL('../../../shared/data/openapi', import.meta.url).pathname;
if (!existsSync(directory)) {
  console.log(`skipped: ${directory} is not here, and the round trip needs its documents`);
  process.exit(0);
}

const started = performance.now();
const temporary = mkdtempSync(join(tmpdir(), 'toolcrib-prism-'));
const results = [];
try {
  const queue = readdirSync(directory)
    .filter((name) => /\.(json|ya?ml)(\.gz)?$/.test(name) && name !== 'index.json')
    .filter((name) => !SLOW.some((slow) => name.startsWith(slow)) && name.includes(options.only ?? ''))
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  const workers = Array.from({ length: Math.max(1, availableParallelism()) }, async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      results.push(await roundTrip(name));
  });
  await Promise.all(workers);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
const holds = summarize(results, { complete: options.only === undefined, all: options.all === true });
console.log(
  `time        ${((performance.now() - started) / 1000).toFixed(1)} s; left out as too slow for Prism: ${SLOW.join(', ')}`,
);
process.exitCode = holds ? 0 : 1;

function sizeOf(name) {
  return readFileSync(join(directory, name)).length;
}

async function roundTrip(name) {
  const bytes = readFileSync(join(directory, name));
  const file = join(temporary, basename(name).replace(/\.gz$/, ''));
  writeFileSync(file, name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  const result = await inChild(file);
  rmSync(file);
  const state =
    result.failure ??
    result.unloaded ??
    `${result.checked} checked, ${result.findings.length} findings, ${result.ms} ms`;
  console.log(`${result.failure === undefined ? '    ' : 'FAIL'} ${basename(file)}: ${state}`);
  return result;
}

/** The document's result; `failure` when its process ended early or a limit passed. */
function inChild(file) {
  return new Promise((resolve) => {
    const child = fork(new URL('document.mjs', import.meta.url), [file], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const document = basename(file);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr = (stderr + chunk).slice(-600);
    });
    const limited = (ms) => setTimeout(() => child.kill('SIGKILL'), ms);
    let timer = limited(LOAD_LIMIT_MS);
    let result;
    child.on('message', (message) => {
      if (message === 'loaded') {
        clearTimeout(timer);
        timer = limited(TRIP_LIMIT_MS);
      } else result = message;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const reason = signal === 'SIGKILL' ? 'a limit of time passed' : `exit ${code}: ${stderr.trim()}`;
      resolve(result ?? { document, failure: reason });
    });
  });
}
