import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('docs/library.md shows code that compiles', async () => {
  const text = await readFile(join(root, 'docs', 'library.md'), 'utf8');
  const snippets = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, snippet = '']) => snippet);
  expect(snippets.length).toBeGreaterThan(1);
  // Below the package, so that the imports of a snippet resolve as those of an embedder.
  const folder = await mkdtemp(join(root, 'gateway', '.library-guide-'));
  try {
    for (const [index, snippet] of snippets.entries())
      await writeFile(join(folder, `snippet-${index}.ts`), snippet);
    const configuration = {
      extends: '../tsconfig.json',
      compilerOptions: { paths: { toolcrib: ['../src/index.ts'] } },
      include: ['*.ts'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const checked = promisify(execFile)(process.execPath, [tsc, '--project', folder, '--pretty', 'false'], {
      cwd: root,
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
}, 60_000);
