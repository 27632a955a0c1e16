import type { FoundScript } from '../found.ts';
import type { CodeLine } from './code-lines.ts';

const MAX_LOOPS = 100;

/** `${NAME:?…}` and `NAME="${NAME:-…}"`. */
export function environmentOf(lines: readonly CodeLine[]): string[] {
  const names = new Set<string>();
  for (const { text } of lines) {
    for (const [, name, mark] of text.matchAll(/\$\{([A-Z][A-Z0-9_]{1,63}):?([?-])/g)) {
      if (names.size < 20 && (mark === '?' || text.includes(`${name}=`))) names.add(name!);
    }
  }
  return [...names];
}

/** The first program that reaches the network. */
export function networkOf(lines: readonly CodeLine[]): FoundScript['network'] {
  for (const { text, line } of lines) {
    const found =
      /(?:^|[;|&(]|\b(?:if|then|do|else|exec|!)\s)\s*(curl|wget|gh|ssh|scp|npm|npx|pnpm|pip|pip3|docker)\s/.exec(
        text,
      );
    if (found !== null) return { line, why: `runs ${found[1]}` };
  }
  return undefined;
}

/** `$(cat)`, `cat |`, `/dev/stdin`, `while read …`: unless something else is put in front of it. */
const READS =
  /\$\(\s*(?:cat|<\s*\/dev\/stdin)\s*\)|(?:^|[\s<"'=(])\/dev\/stdin\b|(?:^|[;{])\s*cat\s*(?:-\s*)?(?:$|\||>)/;

const LOOP = /(?:^|[;|]|\bdo)\s*(?:for|while|until|select)\s/;
const READ_LOOP = /^\s*while\s(?:[^;|]{0,60}\s)?read\s/;

/** The line in which a shell script reads its own standard input as text. */
export function inputLine(lines: readonly CodeLine[]): number | undefined {
  /** Loops that are open, each with its line where it reads what is not given to it by another program. */
  const open: (number | undefined)[] = [];
  for (const { text, line } of lines) {
    // a here-document is its own input
    if (READS.test(text) && !text.includes('<<')) return line;
    if (LOOP.test(text) && open.length < MAX_LOOPS) open.push(READ_LOOP.test(text) ? line : undefined);
    const end = /(?:^|;)\s*done\b(.*)$/.exec(text);
    if (end === null) continue;
    const loop = open.pop();
    // what it reads may be a file
    if (loop !== undefined && !end[1]!.includes('<')) return loop;
  }
  return undefined;
}
