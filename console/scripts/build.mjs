// node scripts/build.mjs [FOLDER]: the console as static files, compressed forms beside them. Default: gateway/console.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const folder = process.argv[2] === undefined ? join(root, '../gateway/console') : resolve(process.argv[2]);
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
