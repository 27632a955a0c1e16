import type { FoundScript } from '../found.ts';
import type { CodeLine } from './code-lines.ts';

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
