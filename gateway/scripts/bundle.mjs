// Joins the built command line and what it loads into few files: opening hundreds costs more than running them.
// node scripts/bundle.mjs [PACKAGE_FOLDER]; reads dist/, writes bundle/ with the licences of what is inside.
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { leanModules } from './lean-modules.mjs';

const folder = realpathSync(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const target = join(folder, 'bundle');
rmSync(target, { recursive: true, force: true });

/**
 * What every `serve` loads, and what every compile process loads, is one file each beside the entry; they share none.
 * What may start a compile process is apart: that comes up while the rest is loaded.
 */
const output = [
  ...(await joinFiles('main', 'cli/main', {
    first: ['cli/main', 'cli/compile-ahead', 'cli/terminal/terminal', 'config/directories', 'errors'],
    start: ['cli/run-program', 'cli/commands/serve', 'gateway'],
  })),
  // not the entry itself: it turns the compile cache on before it loads the rest
  ...(await joinFiles('compile-process', 'assembly/compiling/compile-process', {
    start: ['assembly/compiling/compile-job', 'sources/registry', 'sources/openapi/describe'],
  })),
];

const packages = new Set();
for (const chunk of output) {
  for (const module of Object.keys(chunk.modules ?? {})) {
    if (module.startsWith(join(folder, 'dist'))) continue;
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
    if (name !== undefined) packages.add(join(module.slice(0, module.lastIndexOf(`/${name}/`)), name));
  }
}
writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), [...packages].sort().map(notice).join('\n'));

/** `parts` are joined into a file each, with what they need; what several need is in the first of them. */
async function joinFiles(name, entry, parts) {
  const groups = Object.entries(parts).map(([part, members], index, { length }) => {
    const files = new Set(members.map((file) => join(folder, 'dist', `${file}.js`)));
    return { name: part, priority: length - index, test: (id) => files.has(id) };
  });
  const build = await rolldown({
    input: { [name]: join(folder, 'dist', `${entry}.js`) },
    platform: 'node',
    plugins: [leanModules()],
    // Loaded when first used, if at all: large, or found by path at run time.
    external: [
      /^node:/,
      'undici',
      /^ajv(\/|$)/,
      'pino',
      /^gpt-tokenizer(\/|$)/,
      '@clack/prompts',
      '@azure/identity',
      /^@ai-sdk\//,
      'tar',
      'yauzl',
    ],
    onLog(level, log, handle) {
      // what one place loads when it is needed, and another with the rest, is not lazy
      handle(log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' ? 'error' : level, log);
    },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${name}-[name]-[hash].js`,
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { groups },
  });
  await build.close();
  return output;
}

function notice(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  const beside = join(dirname(directory), 'LICENSE');
  const text =
    file !== undefined
      ? readFileSync(join(directory, file), 'utf8')
      : existsSync(beside)
        ? readFileSync(beside, 'utf8')
        : `Licence: ${license}`;
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
