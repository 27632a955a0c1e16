import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryHome } from '../cli/command-run.ts';

const docs = new URL('../../../docs/add-a-provider.md', import.meta.url);
const example = new URL('../../../examples/add-a-provider/', import.meta.url);

/** What a reader does, in the guide's order: write a file, run a command, see an answer. */
type Step =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly answer: string | undefined };

async function readSteps(): Promise<Step[]> {
  const blocks = [...(await readFile(docs, 'utf8')).matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const steps: Step[] = [];
  for (const [index, [, language, text = '']] of blocks.entries()) {
    const [, name] = /^# (\S+\.yaml)\n/.exec(text) ?? [];
    if (language === 'yaml' && name !== undefined) steps.push({ kind: 'file', name, text });
    if (language !== 'sh') continue;
    const next = blocks[index + 1];
    const words = text.trim().split(' ').slice(1);
    steps.push({ kind: 'command', words, answer: next?.[1] === 'text' ? next[2] : undefined });
  }
  return steps;
}

const crib = temporaryHome();
const requests: string[] = [];
const deskly = createServer((request, response) => {
  requests.push(`${request.method} ${request.url} ${request.headers['x-deskly-key']}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":7,"status":"open"}]');
});
beforeAll(() => vi.stubEnv('DESKLY_KEY', 'k-1'));
beforeAll(() => once(deskly.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  vi.unstubAllEnvs();
  deskly.close();
});

describe('docs/add-a-provider.md, followed to the letter', async () => {
  const steps = await readSteps();

  it('needs two files and no code', () => {
    const files = steps.filter((step) => step.kind === 'file');
    expect(files.map(({ name }) => name)).toEqual(['deskly.yaml', 'toolcrib.yaml']);
    const configuration = files[1]!.text.split('\n').filter((line) => /^ {2}\S/.test(line));
    expect(configuration).toHaveLength(1);
  });

  it('does what it says', async () => {
    const { port } = deskly.address() as AddressInfo;
    let commands = 0;
    for (const step of steps) {
      if (step.kind === 'file') {
        await writeFile(crib.path(step.name), step.text);
        continue;
      }
      commands++;
      const { words, answer } = step;
      const led = words[0] === 'call' && !words.includes('--dry-run');
      const where = led ? ['--base-url', `http://127.0.0.1:${port}/v1`] : [];
      const { exit, out, err } = await crib.run([...words, ...where]);
      expect(err).not.toMatch(/^error/m);
      expect(exit).toBe(0);
      if (answer === undefined) continue;
      for (const line of answer.trimEnd().split('\n')) expect(out, words.join(' ')).toContain(line);
      expect(out).not.toContain('erase_customer');
    }
    expect(commands).toBe(4);
    expect(requests).toEqual(['GET /v1/tickets?status=open k-1']);
  });

  it.each(['deskly.yaml', 'toolcrib.yaml'])('has the %s of the example', async (name) => {
    const step = steps.find((one) => one.kind === 'file' && one.name === name);
    const withoutFirstLine = (text: string) => text.replace(/^# .*\n/, '');
    const own = await readFile(new URL(name, example), 'utf8');
    expect(withoutFirstLine((step as { text: string }).text)).toBe(withoutFirstLine(own));
  });
});
