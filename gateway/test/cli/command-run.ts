import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { removeTree } from '../../src/skills/frozen/remove-tree.ts';

export interface CommandRun {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly platform?: NodeJS.Platform;
  /** Standard output is a terminal. */
  readonly live?: boolean;
  /** The answer of the person at the terminal; absent: nobody is there. */
  readonly answer?: boolean;
  /** What the person presses and writes, one after the other, where a key or a line is asked for. */
  readonly keys?: readonly string[];
  /** What the person chooses of a list; undefined: they broke off. */
  readonly select?: Terminal['select'];
  /** What the person writes meanwhile, having read what stands on standard error. */
  readonly paste?: (shown: string) => Promise<readonly string[]>;
}

/** The command line in this process, with a folder of its own as home and working directory. */
export function temporaryHome() {
  let home = '';
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'toolcrib-cli-'));
  });
  // copies of skills are read-only, which only root does not mind
  afterAll(() => removeTree(home));
  return {
    get home() {
      return home;
    },
    path: (...parts: string[]) => join(home, ...parts),
    async run(argv: readonly string[], options: RunOptions = {}): Promise<CommandRun> {
      const out: string[] = [];
      const err: string[] = [];
      const keys = [...(options.keys ?? [])];
      const terminal: Terminal = {
        env: {
          HOME: home,
          USERPROFILE: home,
          XDG_STATE_HOME: join(home, 'state'),
          XDG_CONFIG_HOME: join(home, '.config'),
          ...options.env,
        },
        cwd: options.cwd ?? home,
        platform: options.platform ?? 'linux',
        live: options.live ?? false,
        interactive: [options.answer, options.keys, options.paste, options.select].some(
          (given) => given !== undefined,
        ),
        colour: false,
        out: (line) => out.push(`${line}\n`),
        note: (line) => err.push(`${line}\n`),
        readInput: async () => options.input ?? '',
        lines(onLine) {
          void options.paste?.(err.join('')).then((pasted) => pasted.forEach(onLine));
          return () => undefined;
        },
        confirm: async () => options.answer === true,
        ...(options.select === undefined ? {} : { select: options.select }),
        choose: async (_question, choices) => {
          const key = keys.shift();
          return key !== undefined && choices.includes(key) ? key : undefined;
        },
        line: async () => keys.shift(),
      };
      const exit = await main(argv, terminal);
      return { exit, out: out.join(''), err: err.join('') };
    },
  };
}
