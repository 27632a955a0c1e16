import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GATEWAY = fileURLToPath(new URL('..', import.meta.url));
/** Beside what is installed, so that a built command finds its packages. */
const BUILDS = join(GATEWAY, '../node_modules/.cache/toolcrib-command');
/** After it a build of other sources is used by no run any more. */
const AN_HOUR = 3_600_000;
/** What of the package a command reads as it stands. */
const SHIPPED = ['package.json', 'bin', 'categories', 'manifests', 'presets', 'schemas'];

/** Of the sources as this worker found them. */
let stamp: string | undefined;

/** What a build is made of. */
const MADE_OF = [
  ...SHIPPED,
  'src',
  'scripts',
  'tsconfig.json',
  'tsconfig.build.json',
  'test/command-file.ts',
  '../examples/quickstart',
  '../package-lock.json',
];

/**
 * The command as it is installed, for tests that start one: built from the sources as they are by the first that asks,
 * in about 4 s, and started in half of the processor time that it takes from sources. A test that needs the checkout's
 * own file names it itself.
 */
export function commandFile(): string {
  const own = join(GATEWAY, 'bin/toolcrib.mjs');
  if (existsSync(join(GATEWAY, 'bundle/main.js'))) return own;
  stamp ??= stampOfSources();
  const build = join(BUILDS, stamp);
  if (!existsSync(build)) buildOnce(build);
  return join(build, 'bin/toolcrib.mjs');
}

/** Of the workers that want it at once, one builds, and the others wait for it. */
function buildOnce(build: string): void {
  mkdirSync(BUILDS, { recursive: true });
  const lock = `${build}.lock`;
  while (!existsSync(build)) {
    try {
      mkdirSync(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      waitFor(lock);
      continue;
    }
    try {
      if (!existsSync(build)) makeBuild(build);
    } finally {
      rmSync(lock, { recursive: true });
    }
  }
}

/** One that was killed leaves its lock behind. */
function waitFor(lock: string): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (made !== undefined && Date.now() - made > 120_000) rmSync(lock, { recursive: true, force: true });
}

function makeBuild(build: string): void {
  for (const other of readdirSync(BUILDS)) {
    const { mtimeMs } = statSync(join(BUILDS, other));
    if (Date.now() - mtimeMs > AN_HOUR) rmSync(join(BUILDS, other), { recursive: true, force: true });
  }
  const folder = mkdtempSync(`${build}-`);
  for (const name of SHIPPED) cpSync(join(GATEWAY, name), join(folder, name), { recursive: true });
  cpSync(join(GATEWAY, '../examples/quickstart'), join(folder, 'quickstart'), { recursive: true });
  const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');
  const emit = ['--outDir', join(folder, 'dist'), '--noCheck', '--declaration', 'false'];
  execFileSync(process.execPath, [tsc, '--project', join(GATEWAY, 'tsconfig.build.json'), ...emit]);
  execFileSync(process.execPath, [join(GATEWAY, 'scripts/bundle.mjs'), folder]);
  renameSync(folder, build);
}

/** Name, size and time of every file that a build is made of. */
function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const name of MADE_OF) {
    const top = join(GATEWAY, name);
    const inside = statSync(top).isDirectory()
      ? (readdirSync(top, { recursive: true }) as string[]).sort()
      : [''];
    for (const file of inside) {
      const { size, mtimeMs } = statSync(join(top, file));
      hash.update(`${name}/${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
