// What the bundle consists of: the built package and what its command line loads when it is needed, with their licences.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const gateway = join(root, 'gateway');

/** Folders of the package that a server on standard input and output uses. */
const PACKAGE = ['bin', 'bundle', 'categories', 'manifests', 'presets', 'quickstart'];
/** What the bundled command line loads by its name: see gateway/scripts/bundle.mjs. */
const LOADED = [
  '@ai-sdk/openai-compatible',
  '@azure/identity',
  '@clack/prompts',
  'ajv',
  'gpt-tokenizer',
  'pino',
  're2js',
  'tar',
  'undici',
  'yaml',
  'yauzl',
];
/** What it starts as a thread of its own: compiled files by themselves. */
const THREADS = ['dist/web/direct/page-worker.js'];
const SUPERFLUOUS =
  /\.(map|d\.[cm]?ts|ts|md|markdown|flow)$|(^|\/)(tests?|docs|examples|benchmarks?|\.github)\//;
/** One encoding of the tokenizer is used. */
const TOKENIZER =
  /^(package\.json|LICENSE.*|cjs\/(?!encoding\/|bpeRanks\/).*|cjs\/(encoding|bpeRanks)\/o200k_base\.js)$/;

/** @returns {Array<{ name: string, bytes: Buffer, executable?: boolean }>} */
export function collect() {
  const version = JSON.parse(readFileSync(join(gateway, 'package.json'), 'utf8')).version;
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, 'manifest.json'), 'utf8'));
  const files = [
    { name: 'manifest.json', bytes: Buffer.from(`${JSON.stringify({ ...manifest, version }, null, 2)}\n`) },
    { name: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')) },
    { name: 'server/start.mjs', bytes: readFileSync(join(import.meta.dirname, 'start.mjs')) },
  ];
  const own = 'server/node_modules/toolcrib';
  files.push({ name: `${own}/package.json`, bytes: readFileSync(join(gateway, 'package.json')) });
  for (const folder of PACKAGE) {
    if (!existsSync(join(gateway, folder)))
      throw new Error(`gateway/${folder} is not there: run \`npm run build\` first.`);
    for (const path of below(join(gateway, folder)))
      add(files, `${own}/${folder}/${path}`, join(gateway, folder, path));
  }
  const { paths, packages } = compiled(THREADS);
  for (const path of paths) add(files, `${own}/${path}`, join(gateway, path));
  for (const folder of modules([...LOADED, ...packages])) {
    const name = relative(root, folder).replaceAll('\\', '/');
    const tokenizer = basename(folder) === 'gpt-tokenizer';
    for (const path of below(folder)) {
      if (tokenizer ? TOKENIZER.test(path) : !SUPERFLUOUS.test(path))
        add(files, `server/${name}/${path}`, join(folder, path));
    }
  }
  return files;
}

function add(files, name, path) {
  files.push({ name, bytes: readFileSync(path), executable: (statSync(path).mode & 0o111) !== 0 });
}

/** Compiled files with all that they import, and the packages among it. */
function compiled(entries) {
  const paths = new Set();
  const packages = new Set();
  const visit = (path) => {
    if (paths.has(path)) return;
    paths.add(path);
    const text = readFileSync(join(gateway, path), 'utf8');
    for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (name.startsWith('.')) visit(posix.join(posix.dirname(path), name));
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)[0]);
    }
  };
  for (const entry of entries) visit(entry);
  return { paths, packages };
}

/** Folders of these packages, with those that they need. */
function modules(names) {
  const found = new Set();
  const visit = (name, from) => {
    const folder = resolved(name, from);
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) visit(needed, folder);
  };
  for (const name of names) {
    if (resolved(name, gateway) === undefined)
      throw new Error(`The package ${name} is not installed: run \`npm ci\` first.`);
    visit(name, gateway);
  }
  return [...found].sort();
}

/** As Node looks for a package: beside whoever asks, then further up. Optional ones may be absent. */
function resolved(name, from) {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  return undefined;
}

/** Paths of the files of a folder, with `/`; packages within packages are visited by themselves. */
function below(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)node_modules\//.test(path));
}
