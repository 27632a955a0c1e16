import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryHome } from '../cli/command-run.ts';
import { blocksOf, markdownFiles, ROOT, readPage } from './markdown.ts';

/** Whole files that their own guide's test compiles and runs. */
const ELSEWHERE = ['docs/write-a-tool.md'];

/** What `toolcrib new` writes with TypeScript in it. */
const SCAFFOLDS = [
  ['tool', 'word_count'],
  ['source', 'listed'],
] as const;

const crib = temporaryHome();

interface Snippet {
  readonly file: string;
  readonly text: string;
}

/** Declarations without a check of the sources, into `types` beside the configuration. */
const DECLARED = {
  rootDir: '../src',
  outDir: 'types',
  noCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
  sourceMap: false,
};

/** What the compiler says of a project: '' where nothing is wrong. */
async function complaintsOf(project: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '--project', project, '--pretty', 'false'], {
    cwd: ROOT,
  });
  return run.then(
    () => '',
    ({ stdout, message }: { stdout?: string; message: string }) => stdout || message,
  );
}

async function snippetsOf(page: string): Promise<Snippet[]> {
  const blocks = blocksOf(await readPage(page)).filter(({ language }) => language === 'ts');
  const name = page.replace(/\W+/g, '-');
  return blocks.map(({ text, line }) => ({ file: `${name}-line-${line}.ts`, text }));
}

it('the TypeScript of every page and of `toolcrib new` compiles against the package', async () => {
  const pages = (await markdownFiles()).filter((page) => !ELSEWHERE.includes(page));
  const snippets = (await Promise.all(pages.map(snippetsOf))).flat();
  expect(snippets.filter(({ file }) => file.startsWith('docs-library-md')).length).toBeGreaterThan(5);
  expect(snippets.filter(({ file }) => file.startsWith('docs-extending-md')).length).toBeGreaterThan(2);
  // Below the package, so that the imports of a snippet resolve as those of an embedder.
  const folder = await mkdtemp(join(ROOT, 'gateway', '.typed-examples-'));
  try {
    for (const { file, text } of snippets) await writeFile(join(folder, file), text);
    for (const [kind, name] of SCAFFOLDS) {
      expect(await crib.run(['new', kind, name, '--dir', folder])).toMatchObject({ exit: 0 });
      expect((await readdir(join(folder, name))).filter((file) => file.endsWith('.ts'))).not.toEqual([]);
    }
    // The types of the sources alone, as a package has them: what is wrong in the sources is another check's to say, and
    // takes twice as long.
    const types = join(folder, 'types');
    const declared = { extends: '../tsconfig.build.json', compilerOptions: DECLARED, include: ['../src'] };
    await writeFile(join(folder, 'tsconfig.types.json'), JSON.stringify(declared));
    expect(await complaintsOf(join(folder, 'tsconfig.types.json'))).toBe('');
    const configuration = {
      extends: '../tsconfig.json',
      compilerOptions: { paths: { toolcrib: [join(types, 'index.d.ts')] } },
      include: ['*.ts', '*/*.ts'],
      exclude: ['types'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    expect(await complaintsOf(folder)).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 180_000);
