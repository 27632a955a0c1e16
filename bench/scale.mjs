// How compile time and memory grow from 100 to 50,000 operations, and whether a catalog of the largest size serves.
// node scale.mjs [--sizes 100,1000,5000,10000,25000,50000]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { report, rounded } from './drivers/figures.mjs';
import { startListening } from './drivers/listening-process.mjs';
import { builtToolcrib } from './drivers/prepare.mjs';
import { memoryOf } from './drivers/process-facts.mjs';
import { StdioProcess } from './drivers/stdio-process.mjs';
import { writeDocument } from './drivers/synthetic-document.mjs';

const { values: options } = parseArgs({
  options: { sizes: { type: 'string', default: '100,1000,5000,10000,25000,50000' } },
});
const sizes = options.sizes.split(',').map(Number);
const temporary = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
const toolcrib = builtToolcrib();

try {
  const rows = [];
  for (const size of sizes) {
    const file = join(temporary, `${size}.json`);
    await writeDocument(file, size);
    rows.push({
      operations: size,
      'document MB': rounded(statSync(file).size / 1e6, 1),
      ...(await compiled(file)),
      ...(await served(file, size)),
    });
  }
  report('scale', rows.map(perOperation), {
    serving: await calls(join(temporary, `${sizes.at(-1)}.json`), sizes.at(-1)),
  });
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

function perOperation(row) {
  return {
    ...row,
    'µs an operation': rounded((row['compile ms'] / row.operations) * 1000, 0),
    'KB an operation': rounded((row['compile peak MB'] / row.operations) * 1000, 1),
  };
}

/** `toolcrib compile --json` into nothing: the wall time and the peak of the process. */
async function compiled(file) {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [toolcrib, 'compile', file, '--json', '--state-dir', join(temporary, `compile-${started}`)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const sink = createWriteStream('/dev/null');
  child.stdout.pipe(sink);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`compile ended with ${code}`);
  return { 'compile ms': rounded(performance.now() - started, 0), 'compile peak MB': rounded(peak, 0) };
}

/** Megabytes; 0 when the process is gone. */
function peakOf(pid) {
  try {
    return memoryOf(pid).peak;
  } catch {
    return 0;
  }
}

/** Start to the last page of `tools/list`, without a cache and with one. */
async function served(file, size) {
  const result = {};
  for (const name of ['cold', 'cached']) {
    const server = new StdioProcess([
      toolcrib,
      'serve',
      file,
      '--stdio',
      '--topology',
      'flat',
      '--no-watch',
      '--base-url',
      'http://127.0.0.1:9',
      '--state-dir',
      join(temporary, `serve-${size}`),
    ]);
    try {
      await server.initialize();
      const { tools, pages } = await listAll(server);
      if (tools !== size) throw new Error(`${tools} of ${size} tools were listed`);
      result[`list ms, ${name}`] = rounded(performance.now() - server.started, 0);
      result.pages = pages;
      // The cache is written behind the first answers.
      if (name === 'cold') await new Promise((resolve) => setTimeout(resolve, 1_000 + size / 10));
      result[`RSS MB, ${name}`] = rounded(memoryOf(server.pid).rss, 0);
    } finally {
      await server.stop();
    }
  }
  return result;
}

async function listAll(server) {
  let tools = 0;
  let pages = 0;
  let cursor;
  do {
    const { result } = JSON.parse(await server.request('tools/list', cursor === undefined ? {} : { cursor }));
    tools += result.tools.length;
    pages++;
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return { tools, pages };
}

/** Calls spread over the whole catalog: every one is another tool, so every one compiles its schema first. */
async function calls(file, size) {
  const upstream = await startListening([new URL('bare/upstream.mjs', import.meta.url).pathname]);
  const server = new StdioProcess([
    toolcrib,
    'serve',
    file,
    '--stdio',
    '--topology',
    'flat',
    '--no-watch',
    '--base-url',
    upstream.url,
    '--state-dir',
    join(temporary, `serve-${size}`),
  ]);
  try {
    await server.initialize();
    const count = Math.min(500, size);
    const started = performance.now();
    for (let index = 0; index < count; index++) {
      const place = Math.floor((index / count) * size);
      const line = await server.request('tools/call', { name: `getItem${place}`, arguments: { id: place } });
      const { result } = JSON.parse(line);
      if (result?.isError !== false && result?.isError !== undefined) throw new Error(line.slice(0, 400));
    }
    return {
      operations: size,
      calls: count,
      'ms a call, each to another tool': rounded((performance.now() - started) / count, 2),
      'RSS MB': rounded(memoryOf(server.pid).rss, 0),
    };
  } finally {
    await server.stop();
    await upstream.stop();
  }
}
