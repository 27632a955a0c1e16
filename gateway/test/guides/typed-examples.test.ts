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
    const configuration = {
      extends: '../tsconfig.json',
      compilerOptions: { paths: { toolcrib: ['../src/index.ts'] } },
      include: ['*.ts', '*/*.ts'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const checked = promisify(execFile)(process.execPath, [tsc, '--project', folder, '--pretty', 'false'], {
      cwd: ROOT,
    });
    const said = await checked.then(
      () => '',
      ({ stdout, message }: { stdout?: string; message: string }) => stdout || message,
    );
    // What is wrong in the sources themselves is another check's to say.
    // Lines that are indented go on with a complaint.
    const complaints = said.split(/\n(?!\s)/).filter((one) => one !== '' && !one.startsWith('gateway/src/'));
    expect(complaints).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 180_000);
