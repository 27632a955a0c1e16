/** The lines in which two texts differ: one place, since an edit of a source is one. */
export interface LineDifference {
  /** 1-based line of the first that differs. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const SECRET_LINE =
  /^(\s*(?:- )?["']?[\w-]*(?:key|token|secret|password|bearer|authorization|cookie)[\w-]*["']?\s*:\s*)(?![\s{]|["']?\$\{)(.+)$/i;

/** The same within braces, as an option of a program, and in front of a host. */
const SECRETS_WITHIN: readonly RegExp[] = [
  /([{,]\s*["']?[\w-]*(?:key|token|secret|password|bearer|authorization|cookie)[\w-]*["']?\s*:\s*)(?!\s*["']?\$\{|\s*\{)("[^"]*"|'[^']*'|[^,}\]]+?(?=\s*(?:[,}\]]|$)))/gi,
  /(--?[\w-]*(?:key|token|secret|password|bearer|authorization|cookie)[\w-]*=)(?!\$\{)[^\s"',\]]+/gi,
  /(:\/\/)[^\s/@"']+(?=@)/g,
];

/** Secrets that stand in the old text as they are do not stand here: `…` stands for them. */
export function lineDifference(before: string, after: string): LineDifference {
  const old = linesOf(before);
  const now = linesOf(after);
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const shown = (lines: readonly string[]) =>
    lines
      .slice(start, lines.length - end)
      .map((line) =>
        SECRETS_WITHIN.reduce(
          (text, secret) => text.replace(secret, '$1…'),
          line.replace(SECRET_LINE, '$1…'),
        ),
      );
  return { line: start + 1, removed: shown(old), added: shown(now) };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
