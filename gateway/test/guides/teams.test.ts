import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryHome } from '../cli/command-run.ts';
import { exitOf, outputOf, spawnCommand } from '../cli/spawned-command.ts';

import { startLever } from '../doubles/lever.ts';
import { type NangoDouble, startNango } from '../doubles/nango.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';

// whole stories of processes: how long they take is the machine's to say
vi.setConfig({ testTimeout: 120_000 });

const guide = new URL('../../../docs/teams.md', import.meta.url);
const crib = temporaryHome();
let lever: ProviderDouble;
let nango: NangoDouble;
let env: Record<string, string>;

beforeAll(async () => {
  lever = await startLever();
  nango = await startNango();
  nango.add({
    id: 'CONNECTION_ID',
    integration: 'lever',
    credentials: { type: 'OAUTH2', access_token: 'lever-access-token' },
  });
  env = {
    DATABASE_URL: 'sqlite:./team.db',
    NANGO_SECRET_KEY: nango.secretKey,
    OPERATOR_TOKEN: 'operator-token-0123456789',
  };
});
afterAll(async () => {
  await lever.close();
  await nango.close();
});

interface Block {
  readonly language: string;
  readonly text: string;
}

async function readBlocks(): Promise<Block[]> {
  const blocks = (await readFile(guide, 'utf8')).matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, language = '', text = '']) => ({ language, text }));
}

/** The guide's services are at other addresses here; nothing else of its configuration changes. */
function withDoubles(configuration: string): string {
  return configuration
    .replace('manifest: lever\n', `manifest: lever\n    baseUrl: ${lever.url}\n`)
    .replace('integration: lever', `integration: lever, baseUrl: "${nango.url}"`);
}

/** A line as a shell splits it: quotes, variables, and no comment. */
function wordsOf(line: string, variables: Readonly<Record<string, string>>): string[] {
  const words = line.replace(/\s+# .*$/, '').match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [];
  return words.map((word) =>
    word
      .replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '')
      .replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  );
}

/** What curl would send. */
async function curl(words: readonly string[], gateway: string): Promise<{ status: number; body: unknown }> {
  const headers = new Headers();
  let body: string | undefined;
  let url = '';
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index]!;
    if (word === '-H') headers.append(...(words[++index]!.split(/: */, 2) as [string, string]));
    else if (word === '-d') body = words[++index];
    else url = word.replace('http://localhost:8787', gateway);
  }
  const response = await fetch(url, body === undefined ? { headers } : { headers, method: 'POST', body });
  return { status: response.status, body: await response.json() };
}

describe('docs/teams.md, followed to the letter', () => {
  it('leads from nothing to the first call', async () => {
    const blocks = await readBlocks();
    /** What stands for the words in capitals: the ids that were printed last. */
    const ids: Record<string, string> = {};
    let key = '';
    const answers: unknown[] = [];
    let serving: ReturnType<typeof spawnCommand> | undefined;
    let gateway = '';

    const toolcrib = async (words: readonly string[], expected: readonly string[]) => {
      const { exit, out, err } = await crib.run(words, { env });
      expect([words.join(' '), exit, err.match(/^error.*/m)?.[0]]).toEqual([words.join(' '), 0, undefined]);
      for (const line of expected) expect(out.replace(/ \(\w+_\w+\)/g, '')).toContain(line);
      const printed = (kind: string) => new RegExp(`\\b${kind}_[0-9a-f]{32}`).exec(out)?.[0];
      key = /tck_\w{49}/.exec(out)?.[0] ?? key;
      ids['ORG'] ??= printed('org') ?? '';
      if (words[1] === 'user' && words[2] === 'add') ids['USER'] = printed('user') ?? '';
      if (words[1] === 'connection' && words[2] === 'add') ids['CONNECTION'] = printed('connection') ?? '';
    };
    const serve = async (words: readonly string[]) => {
      expect(words).toEqual(['toolcrib', 'serve', '--host', '0.0.0.0']);
      serving = spawnCommand(['serve', '--port', '0', '--json'], { cwd: crib.home, env });
      gateway = new URL(JSON.parse(await outputOf(serving).line()).url).origin;
    };

    try {
      for (const [index, { language, text }] of blocks.entries()) {
        if (language === 'yaml') await writeFile(crib.path('toolcrib.yaml'), withDoubles(text));
        if (language !== 'sh') continue;
        const next = blocks[index + 1];
        const expected = next?.language === 'text' ? next.text.trimEnd().split('\n') : [];
        for (const line of text.trimEnd().split('\n')) {
          const words = wordsOf(line, { TOOLCRIB_API_KEY: key }).map((word) => ids[word] ?? word);
          if (words[0] === 'curl') answers.push(await curl(words, gateway));
          else if (words[1] === 'serve') await serve(words);
          else await toolcrib(words.slice(1), expected);
        }
      }
      expect(answers).toMatchObject([
        { status: 200, body: { atsProvider: 'lever', effectiveAccess: { ats: 'read-only' } } },
        { status: 200, body: { meta: { provider: 'lever', method: 'GET', path: '/opportunities' } } },
        { status: 200, body: { usage: [{ key: 'list_opportunities', calls: 1, errors: 0 }] } },
      ]);
    } finally {
      serving?.kill('SIGTERM');
      if (serving !== undefined) await exitOf(serving);
    }
  });
});
