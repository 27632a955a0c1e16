import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createAdminProgram } from '../../src/cli/commands/admin/admin-program.ts';
import { createProgram } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { blocksOf, markdownFiles, readPage } from './markdown.ts';
import { ownWords, wordsOf } from './shell-words.ts';

const SHELL = ['sh', 'console', ''];
/** The synopsis of every command, which `reference.test.ts` holds against the program. */
const SYNOPSIS = 'docs/command-line.md';

const terminal = {} as Terminal;
const program = createProgram(terminal, () => undefined);
const admin = createAdminProgram(terminal, () => undefined);

/** The command that words lead to, and what is left of them. */
function leafOf(words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command: Command = words[0] === 'admin' ? admin : program;
  let rest = words[0] === 'admin' ? words.slice(1) : words;
  for (;;) {
    const next = command.commands.find(
      (one) => one.name() === rest[0] || one.aliases().includes(rest[0] ?? ''),
    );
    if (next === undefined) return { command, rest };
    command = next;
    rest = rest.slice(1);
  }
}

/** Options, of the command and of those above it, that a line names and nobody knows. */
function unknownOptions(command: Command, rest: readonly string[]): string[] {
  const known = new Set<string | undefined>();
  for (let one: Command | null = command; one !== null; one = one.parent)
    for (const { long, short } of one.options) known.add(long).add(short);
  known.add('--help').add('-h').add('--version');
  const options = rest.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.split('=')[0]!);
  return options.filter((option) => !known.has(option));
}

/** Lines that run a command of ours, in any page. */
async function linesOf(page: string): Promise<string[]> {
  const blocks = blocksOf(await readPage(page)).filter(({ language }) => SHELL.includes(language));
  return blocks
    .flatMap(({ text }) => text.split('\n'))
    .map((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/^source <\((.*)\)$/, '$1')
        .trim(),
    )
    .filter((line) => /^(npx )?toolcrib( |$)/.test(line));
}

describe('commands of the documentation', async () => {
  const pages = (await markdownFiles()).filter((page) => page !== SYNOPSIS);
  const lines = (
    await Promise.all(pages.map(async (page) => (await linesOf(page)).map((line) => [page, line])))
  )
    .flat()
    .map(([page, line]) => [page!, line!] as const);

  it('are found', () => {
    expect(lines.length).toBeGreaterThan(60);
    expect(lines.map(([page]) => page)).toContain('README.md');
  });

  it.each(lines)('%s: %s', (_page, line) => {
    const words = ownWords(wordsOf(line))!;
    const { command, rest } = leafOf(words);
    const named = words.length > 0 && command !== program;
    // without a command the words are documents
    if (!named)
      expect(
        words.every((word) => /^-|[./]/.test(word)),
        line,
      ).toBe(true);
    // what is left of a group of commands is no command of it
    const left =
      command.commands.length === 0 || command === program
        ? []
        : rest.filter((word) => !word.startsWith('-'));
    expect(left, line).toEqual([]);
    expect(unknownOptions(command, rest), line).toEqual([]);
  });
});
