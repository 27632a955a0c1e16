import { copyFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { expect } from 'vitest';
import type { CommandRun, RunOptions } from '../cli/command-run.ts';
import { exitOf, outputOf, spawnCommand } from '../cli/spawned-command.ts';
import { type Block, blocksOf, readPage } from './markdown.ts';
import { ownWords, wordsOf } from './shell-words.ts';

/** Where a page is followed: a folder, and what is another there than at the reader's. */
export interface Surroundings {
  readonly home: string;
  run(words: readonly string[], options?: RunOptions): Promise<CommandRun>;
  readonly env?: Readonly<Record<string, string>>;
  /** Words in capitals, addresses and the like: what stands for them here. Words that commands print are added. */
  readonly words?: Readonly<Record<string, string>>;
  /** Options that every command gets beside its own: where the services are. */
  readonly options?: (words: readonly string[]) => readonly string[];
  /** A configuration of the page as it is written here. Absent: as it stands. */
  readonly file?: (name: string, text: string) => string;
  /** Lines that cannot run, each with its reason. A line that is not met is an error. */
  readonly skipped?: Readonly<Record<string, string>>;
  /** Exit codes other than 0. */
  readonly exits?: Readonly<Record<string, number>>;
  /** The name of a YAML block that does not say its own. */
  readonly unnamed?: string;
}

/** What was run, in order: the line as the page has it, and what it said. */
export interface Followed extends CommandRun {
  readonly line: string;
}

/**
 * Does what a page says, in its order: writes its files (a YAML block that begins with a comment of a file's name),
 * runs its lines of shell, and holds what they say against the `text` block that follows, or against the rest of a
 * `console` block. `…` in what is expected stands for anything.
 */
export async function followPage(page: string, here: Surroundings): Promise<Followed[]> {
  const followed: Followed[] = [];
  const skipped = new Set<string>();
  const blocks = blocksOf(await readPage(page));
  for (const [index, block] of blocks.entries()) {
    if (block.language === 'yaml') await writeNamed(block, here);
    for (const { line, expected } of stepsOf(block, blocks[index + 1])) {
      if (here.skipped?.[line] !== undefined) {
        skipped.add(line);
        continue;
      }
      const said = await runLine(line, here);
      const exit = here.exits?.[line] ?? 0;
      const error = exit === 0 ? said.err.match(/^error.*/m)?.[0] : undefined;
      expect([page, line, said.exit, error]).toEqual([page, line, exit, undefined]);
      for (const wanted of expected)
        expect(squeezed(said.out), `${page}: ${line}`).toMatch(patternOf(wanted));
      followed.push({ line, ...said });
    }
  }
  expect([...skipped].sort(), `${page}: lines that are said to be skipped`).toEqual(
    Object.keys(here.skipped ?? {}).sort(),
  );
  return followed;
}

interface Step {
  readonly line: string;
  readonly expected: readonly string[];
}

function stepsOf(block: Block, next: Block | undefined): Step[] {
  const lines = block.text.split('\n').map((line) => line.trimEnd());
  if (block.language === 'console') {
    const starts = lines.flatMap((line, index) => (line.startsWith('$ ') ? [index] : []));
    return starts.map((start, index) => ({
      line: bare(lines[start]!.slice(2)),
      expected: lines.slice(start + 1, starts[index + 1]).filter((line) => line !== ''),
    }));
  }
  if (block.language !== 'sh') return [];
  const commands = lines.filter((line) => line !== '');
  const expected = next?.language === 'text' ? next.text.trimEnd().split('\n') : [];
  return commands.map((line, index) => ({
    line: bare(line),
    expected: index === commands.length - 1 ? expected : [],
  }));
}

/** Without the comment at its end. */
function bare(line: string): string {
  return line.replace(/\s+# .*$/, '').trim();
}

async function writeNamed({ text }: Block, here: Surroundings): Promise<void> {
  const name = /^# ([\w.-]+\.ya?ml)\b/.exec(text)?.[1] ?? here.unnamed;
  if (name !== undefined) await writeFile(join(here.home, name), here.file?.(name, text) ?? text);
}

async function runLine(line: string, here: Surroundings): Promise<CommandRun> {
  const words = wordsOf(line, here.env).map((word) => here.words?.[word] ?? word);
  const own = ownWords(words);
  if (own !== undefined) {
    const argv = [...own, ...(here.options?.(own) ?? [])];
    if (own[0] === 'serve' && !own.includes('--stdio')) return serve(argv, here);
    return here.run(argv, { env: here.env ?? {}, answer: true });
  }
  if (words[0] === 'cp') return copy(words, here.home);
  if (words[0] === 'export') return { exit: 0, out: '', err: '' };
  throw new Error(`Nothing here runs: ${line}`);
}

async function copy([, from, to]: readonly string[], home: string): Promise<CommandRun> {
  const inHome = (path: string) => (isAbsolute(path) ? path : join(home, path));
  await copyFile(inHome(from!), inHome(to!));
  return { exit: 0, out: '', err: '' };
}

/** Serves on a free port, says that it does, and ends in good order. */
async function serve(argv: readonly string[], here: Surroundings): Promise<CommandRun> {
  const child = spawnCommand([...argv, '--port', '0', '--json'], { cwd: here.home, env: here.env ?? {} });
  const ready = await outputOf(child).line();
  child.kill('SIGTERM');
  return { exit: (await exitOf(child)) ?? -1, out: ready, err: '' };
}

function squeezed(text: string): string {
  return text.replace(/[ \t]+/g, ' ');
}

function patternOf(line: string): RegExp {
  const parts = squeezed(line.trim()).split('…');
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'));
}
