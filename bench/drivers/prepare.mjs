import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE, compile } from './built-toolcrib.mjs';

export { builtToolcrib } from './built-toolcrib.mjs';

const require = createRequire(import.meta.url);
const BENCH = fileURLToPath(new URL('..', import.meta.url));

export const GITHUB = join(
  dirname(require.resolve('@octokit/openapi/package.json')),
  'generated/api.github.com.json',
);

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
