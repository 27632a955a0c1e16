// node scripts/build.mjs [FOLDER]: the console as static files, compressed forms beside them. Default: gateway/console.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
// build-when-stale.mjs brings words of its own along
const given = process.argv.slice(2).find((word) => !word.startsWith('--'));
const folder = given === undefined ? join(root, '../gateway/console') : resolve(given);
// a test runner's own value would bring the development build of React along
process.env.NODE_ENV = 'production';
await build({
  root,
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: folder },
});
const compressed = spawnSync(process.execPath, [join(import.meta.dirname, 'compress.mjs'), folder], {
  stdio: 'inherit',
});
if (compressed.status !== 0) process.exitCode = 1;
