import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BENCH = fileURLToPath(new URL('..', import.meta.url));
const ROOT = dirname(BENCH.replace(/\/$/, ''));
/** Where no formatter, linter or version control looks. */
export const CACHE = join(BENCH, 'node_modules/.cache/toolcrib-bench');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** The package as it would be published, built beside the benches; returns the path of its command. `root`: of a checkout. */
export function builtToolcrib(root = ROOT, folder = join(CACHE, 'toolcrib')) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const gateway = join(root, 'gateway');
  const { files } = JSON.parse(readFileSync(join(gateway, 'package.json'), 'utf8'));
  const written = ['package.json', ...files.filter((part) => part !== 'dist' && part !== 'bundle')];
  for (const part of written) {
    if (existsSync(join(gateway, part))) cpSync(join(gateway, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  compile(['--project', join(gateway, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')]);
  execFileSync(process.execPath, [join(gateway, 'scripts/bundle.mjs'), folder], { stdio: 'inherit' });
  return join(folder, 'bin/toolcrib.mjs');
}

/** The same of a revision of git, with the dependencies that are installed now; built once. */
export function builtRevision(revision) {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e9 }).trim();
  const folder = join(CACHE, 'revisions', git('rev-parse', '--short', `${revision}^{commit}`));
  const command = join(folder, 'package/bin/toolcrib.mjs');
  if (existsSync(join(folder, 'package/bundle/main.js'))) return command;
  const sources = join(folder, 'sources');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(sources, { recursive: true });
  execFileSync('sh', ['-c', 'git archive "$0" gateway | tar -x -C "$1"', revision, sources], { cwd: ROOT });
  symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'), 'dir');
  return builtToolcrib(sources, join(folder, 'package'));
}

/** Findings of types do not matter to a bench; what was written does. */
export function compile(args) {
  try {
    execFileSync(process.execPath, [TSC, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  } catch (error) {
    process.stderr.write(`tsc: ${String(error.stdout).split('\n')[0]}\n`);
  }
}
