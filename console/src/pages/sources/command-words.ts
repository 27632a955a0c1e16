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
