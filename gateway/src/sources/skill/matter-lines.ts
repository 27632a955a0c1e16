/** A member of front matter, not of the specification, and of many skills: no model begins it. */
export const PEOPLE_ALONE = 'disable-model-invocation';

interface MatterLines {
  /** What stands between the two lines `---`. */
  readonly yaml: string;
  /** Its `key: value` lines, with the line of the file. */
  readonly plain: ReadonlyArray<{ readonly key: string; readonly value: string; readonly line: number }>;
}

/** The front matter of a Markdown file; undefined where there is none, or none that ends within so many characters. */
export function matterLines(text: string, most: number): MatterLines | undefined {
  const lines = text
    .replace(/^\uFEFF/, '')
    .slice(0, most)
    .split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return undefined;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) return undefined;
  const inside = lines.slice(1, end);
  const plain = inside.flatMap((text, index) => {
    const [, key, value] = /^([A-Za-z][\w-]*):[ \t]+(\S.*)$/.exec(text) ?? [];
    if (key === undefined || value === undefined || /^[|>]/.test(value)) return [];
    return [{ key, value: unquoted(value.trimEnd()), line: index + 2 }];
  });
  return { yaml: `${inside.join('\n')}\n`, plain };
}

function unquoted(value: string): string {
  const [first] = value;
  return value.length > 1 && (first === '"' || first === "'") && value.endsWith(first)
    ? value.slice(1, -1)
    : value;
}

/** The instructions of a SKILL.md: what stands behind its front matter, as that ends for `matterLines`. */
export function withoutFrontMatter(text: string): string {
  const [opening] = /^\uFEFF?---[^\S\r\n]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) return text.trim();
  const closing = /\n---[^\S\r\n]*(?:\r?\n|$)/g;
  // from the end of the first line: nothing at all may stand between the two
  closing.lastIndex = opening.length - 1;
  return closing.test(text) ? text.slice(closing.lastIndex).trim() : text.trim();
}
