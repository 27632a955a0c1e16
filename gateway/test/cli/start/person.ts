import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type StartOptions, start } from '../../../src/cli/commands/start.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';

/** What a person answers, in order: a choice's value, `yes` or `no`; `break` is Ctrl-C. */
export type Answer = string;

export interface StartRun {
  readonly exit: number | undefined;
  /** What it threw, where it did. */
  readonly error: { readonly code?: string; readonly message: string; readonly next?: string } | undefined;
  readonly out: string;
  readonly err: string;
  /** Every question as it was asked, with its choices. */
  readonly asked: readonly string[];
}

/** A home with a folder in it, in which somebody starts Toolcrib. */
export async function temporaryDesk(files: Readonly<Record<string, string>> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'toolcrib-start-'));
  const folder = join(home, 'work');
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) {
    const file = join(home, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return {
    home,
    folder,
    path: (name: string) => join(home, name),
    /** Every file but those of the state directory, with its text. */
    async files(): Promise<Record<string, string>> {
      const names = await readdir(home, { recursive: true, withFileTypes: true });
      const found = names.filter((one) => one.isFile() && !one.parentPath.startsWith(join(home, 'state')));
      const texts = found.map(async (one) => {
        const file = join(one.parentPath, one.name);
        return [file.slice(home.length + 1), await readFile(file, 'utf8')] as const;
      });
      return Object.fromEntries(await Promise.all(texts));
    },
    /** Starts, answers, and stops as soon as it would wait for calls. Without answers nobody is there. */
    async start(
      options: Partial<StartOptions> & { documents?: readonly string[] },
      answers?: readonly Answer[],
    ): Promise<StartRun> {
      const { documents = [], ...given } = options;
      const out: string[] = [];
      const err: string[] = [];
      const asked: string[] = [];
      const left = [...(answers ?? [])];
      const next = (question: string) => {
        asked.push(question);
        const answer = left.shift();
        if (answer === undefined) throw new Error(`Nobody expected the question: ${question}`);
        return answer === 'break' ? undefined : answer;
      };
      const terminal: Terminal = {
        env: {
          HOME: home,
          USERPROFILE: home,
          XDG_STATE_HOME: join(home, 'state'),
          XDG_CONFIG_HOME: join(home, '.config'),
          BROWSER: 'none',
        },
        cwd: folder,
        platform: 'linux',
        live: answers !== undefined,
        interactive: answers !== undefined,
        colour: false,
        out: (line) => out.push(`${line}\n`),
        note: (line) => err.push(`${line}\n`),
        readInput: async () => '',
        confirm: async (question) => next(question) === 'yes',
        select: async (question, choices, initial) =>
          next(`${question} [${choices.map(({ value }) => value || '-').join(' ')}] ${initial || '-'}`),
        agree: async (question, initial) => {
          const answer = next(`${question} ${initial ? '[Y/n]' : '[y/N]'}`);
          return answer === undefined ? undefined : answer === 'yes';
        },
      };
      const settings: StartOptions = { watch: false, port: 0, ...given };
      const run = await start(documents, settings, terminal, AbortSignal.abort()).then(
        (exit) => ({ exit, error: undefined }),
        (error) => ({ exit: undefined, error }),
      );
      if (left.length > 0) throw new Error(`Nobody asked for: ${left.join(', ')}`);
      return { ...run, out: out.join(''), err: err.join(''), asked };
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

/** A document with one operation. */
export function petsDocument(title = 'Pets'): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: 'http://127.0.0.1:1' }],
    paths: { '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } } },
  });
}
