import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { SECTIONS } from '../../src/sources/package/lint/tool-guide.ts';
import { temporaryHome } from '../cli/command-run.ts';

const crib = temporaryHome();

describe('docs/write-a-tool.md', async () => {
  const text = await readFile(new URL('../../../docs/write-a-tool.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, body = '']) => ({
    language,
    body,
  }));

  it('does what it says, followed to the letter', async () => {
    let commands = 0;
    for (const [index, { language, body }] of blocks.entries()) {
      if (language === 'yaml') await writeFile(crib.path('toolcrib.yaml'), body);
      if (language !== 'sh') continue;
      let said = '';
      for (const line of body.trim().split('\n')) {
        const { exit, out, err } = await crib.run(line.split(' ').slice(1));
        expect(err, line).not.toMatch(/^error/m);
        expect(exit, line).toBe(0);
        said = out;
        commands++;
      }
      const answer = blocks[index + 1];
      if (answer?.language === 'text')
        expect(said.replaceAll(/[\s]/g, '')).toContain(answer.body.replaceAll(/\s/g, ''));
    }
    expect(commands).toBe(3);
  });

  it('shows the code of the scaffold in short, which compiles to the same contract', async () => {
    const code = blocks.find(({ language }) => language === 'ts')!.body;
    const scaffold = await readFile(crib.path('word_count', 'tool.ts'), 'utf8');
    expect(scaffold).toContain(/^ {2}handler: .*$/m.exec(code)![0]);
  });

  it('names every section that lint wants', () => {
    for (const section of SECTIONS) expect(text).toContain(`\`## ${section}\``);
  });
});
