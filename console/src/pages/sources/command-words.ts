/** The words of a command line; quotes keep spaces together, and nothing else of a shell is understood. */
export function words(line: string): readonly string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const character of line) {
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) found.push(word);
  return found;
}

/** A line with these words; undefined where one has both kinds of quotes, or is none. */
export function lineOf(given: readonly unknown[]): string | undefined {
  const quoted = given.map((word) => {
    if (typeof word !== 'string') return undefined;
    if (/^[^\s"']+$/.test(word)) return word;
    return word.includes('"') ? (word.includes("'") ? undefined : `'${word}'`) : `"${word}"`;
  });
  return quoted.every((word) => word !== undefined) ? quoted.join(' ') : undefined;
}
