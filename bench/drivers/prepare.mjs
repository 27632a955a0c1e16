import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const BENCH = fileURLToPath(new URL('..', import.meta.url));
const ROOT = dirname(BENCH.replace(/\/$/, ''));
/** Where no formatter, linter or version control looks. */
const CACHE = join(BENCH, 'node_modules/.cache/toolcrib-bench');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

export const GITHUB = join(
  dirname(require.resolve('@octokit/openapi/package.json')),
  'generated/api.github.com.json',
);

/** The package as it would be published, built beside the benches; returns the path of its command. */
export function builtToolcrib() {
  const folder = join(CACHE, 'toolcrib');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const gateway = join(ROOT, 'gateway');
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

/** GitHub's document as the npm package openapi-mcp-generator turns it into a server; generated and built once. */
export function generatedServer() {
  const { version } = require('openapi-mcp-generator/package.json');
  const folder = join(CACHE, `generated-${version}-${require('@octokit/openapi/package.json').version}`);
  const main = join(folder, 'build/index.js');
  if (existsSync(main)) return main;
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const generator = join(BENCH, 'node_modules/openapi-mcp-generator/bin/openapi-mcp-generator.js');
  execFileSync(
    process.execPath,
    [
      generator,
      '-i',
      GITHUB,
      '-o',
      fresh,
      '-n',
      'github',
      '-v',
      '1.0.0',
      '-b',
      'http://127.0.0.1:9',
      '--force',
    ],
    { stdio: 'ignore' },
  );
  const options = JSON.parse(readFileSync(join(fresh, 'tsconfig.json'), 'utf8'));
  Object.assign(options.compilerOptions, {
    rootDir: './src',
    types: [],
    declaration: false,
    sourceMap: false,
  });
  writeFileSync(join(fresh, 'tsconfig.json'), JSON.stringify(options));
  compile(['--project', join(fresh, 'tsconfig.json'), '--noCheck']);
  renameSync(fresh, folder);
  return main;
}

/** Findings of types do not matter to a bench; what was written does. */
function compile(args) {
  try {
    execFileSync(process.execPath, [TSC, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  } catch (error) {
    process.stderr.write(`tsc: ${String(error.stdout).split('\n')[0]}\n`);
  }
}
