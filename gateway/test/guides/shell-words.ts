/** A line as a shell splits it: quotes, variables, and no comment. Undefined variables are empty. */
export function wordsOf(line: string, variables: Readonly<Record<string, string>> = {}): string[] {
  const words = line.replace(/(^|\s+)# .*$/, '').match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [];
  return words.map((word) =>
    word
      .replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '')
      .replace(/'([^']*)'|"([^"]*)"/g, (_, single: string | undefined, double: string | undefined) =>
        String(single ?? double),
      ),
  );
}

/** Words of a command of ours, without `npx` and `toolcrib`; undefined where a line is something else. */
export function ownWords(words: readonly string[]): string[] | undefined {
  const [first, ...rest] = words[0] === 'npx' ? words.slice(1) : words;
  return first === 'toolcrib' ? rest : undefined;
}
