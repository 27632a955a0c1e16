// Builds the console where its sources are newer than what was built, or nothing was. Used by `npm start` in a checkout,
// with --optional: where it cannot be built, in a folder that is read-only for example, that is said and no failure.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const built = join(root, '../gateway/console');
const stamp = join(built, '.sources');

const digest = hashOfSources();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  if (!existsSync(join(root, '../node_modules/vite'))) {
    console.error(
      'The console is not built: run `npm ci` first. The gateway serves everything else without it.',
    );
  } else {
    console.error('Building the console (once, or after a change) …');
    try {
      await import('./build.mjs');
      writeFileSync(stamp, digest);
    } catch (error) {
      if (!process.argv.includes('--optional')) throw error;
      const [reason] = error.message.split('\n');
      console.error(`The console cannot be built here: ${reason}`);
      console.error('The gateway starts without it, or with the one that was built last.');
    }
  }
}

/** Of every file that the build reads, by content: a checkout has no useful times. */
function hashOfSources() {
  const hash = createHash('sha256');
  const files = [
    'index.html',
    'package.json',
    'vite.config.ts',
    ...below('src'),
    ...below('public'),
    ...below('scripts'),
  ];
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function below(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
