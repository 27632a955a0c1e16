// The first minute of somebody new: clones this repository into an empty home, runs the two commands of the README,
// calls a tool, and prints the seconds of each part. Nothing is asserted. node bench/first-minute.mjs [--network]
// Open-Meteo is a stand-in on the loopback interface; with --network it is the real one.
import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const home = mkdtempSync(join(tmpdir(), 'toolcrib-first-minute-'));
const clone = join(home, 'toolcrib');
const network = process.argv.includes('--network');
// nothing of whoever runs this but where packages come from and how the network is reached
const kept = Object.entries(process.env).filter(([name]) =>
  /^(PATH|LANG|npm_config_registry|npm_config_cache|HTTPS?_PROXY|NO_PROXY)$/i.test(name),
);
const env = {
  ...Object.fromEntries(kept),
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.startsWith(root))
    .join(':'),
  HOME: home,
  USERPROFILE: home,
  XDG_STATE_HOME: join(home, 'state'),
};
const parts = [];
let gateway;
let stand;

try {
  await timed('clone', () => run('git', ['clone', '--quiet', root, clone], { env }));
  // what is not committed yet counts, too
  cpSync(root, clone, {
    recursive: true,
    filter: (path) => !/[\\/](node_modules|\.git|dist|bundle|output|results)([\\/]|$)/.test(path),
  });
  if (!network) {
    const { startOpenMeteo } = await import(join(root, 'examples/quickstart/open-meteo.mjs'));
    stand = await startOpenMeteo();
  }
  await timed('npm ci', () => run('npm', ['ci'], { cwd: clone, env, maxBuffer: 64 * 1024 * 1024 }));
  const words = [
    'start',
    '--',
    '--port',
    '0',
    '--json',
    ...(stand === undefined ? [] : ['--base-url', stand.url]),
  ];
  const ready = await timed('npm start, until it listens', () => started(words));
  const answer = await timed('first call', () => call(ready.url));
  console.log(`\n${answer}\n`);
  for (const [name, seconds] of parts) console.log(`${name.padEnd(32)}${seconds.toFixed(1).padStart(7)} s`);
  const after = parts
    .filter(([name]) => !['clone', 'npm ci'].includes(name))
    .reduce((sum, [, seconds]) => sum + seconds, 0);
  console.log(`${'after the installation'.padEnd(32)}${after.toFixed(1).padStart(7)} s`);
} finally {
  if (gateway?.exitCode === null) process.kill(-gateway.pid, 'SIGTERM');
  await stand?.close?.();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function timed(name, work) {
  const begun = performance.now();
  const result = await work();
  parts.push([name, (performance.now() - begun) / 1000]);
  return result;
}

/** The first line of JSON that `npm start` prints; npm and the build of the console talk before it. */
function started(words) {
  gateway = spawn('npm', words, { cwd: clone, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  return new Promise((resolve, reject) => {
    gateway.once('exit', (code) => reject(new Error(`npm start ended with ${code}.`)));
    createInterface({ input: gateway.stdout }).on('line', (line) => {
      if (line.startsWith('{"type":"listening"')) resolve(JSON.parse(line));
    });
  });
}

async function call(url) {
  const response = await fetch(new URL('/api/v1/tools/searchPlaces/call', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ arguments: { name: 'Lisbon', count: 1 } }),
  });
  if (!response.ok)
    throw new Error(`The call was answered with ${response.status}: ${await response.text()}`);
  return `searchPlaces name=Lisbon: ${(await response.text()).slice(0, 160)}`;
}
