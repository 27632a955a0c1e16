export interface FittingQuery {
  readonly query: string;
  readonly warnings: readonly string[];
}

/** A question no longer than a provider takes, cut between words, and what was cut said. */
export function fittingQuery(
  text: string,
  limits: { readonly characters: number; readonly words: number },
  provider: string,
): FittingQuery {
  const words = text.trim().split(/\s+/);
  const counted = words.slice(0, limits.words).join(' ');
  const query = counted.length <= limits.characters ? counted : cutAtWord(counted, limits.characters);
  if (query.length === words.join(' ').length) return { query, warnings: [] };
  const warning = `The question was cut to its first ${query.length} characters: ${provider} takes at most ${limits.characters} characters and ${limits.words} words.`;
  return { query, warnings: [warning] };
}

function cutAtWord(text: string, length: number): string {
  const cut = text.slice(0, length);
  const end = /\s/.test(text[length] ?? ' ') ? cut.length : cut.lastIndexOf(' ');
  const whole = end > 0 ? cut.slice(0, end) : cut;
  // not in the middle of a surrogate pair
  return whole.replace(/[\ud800-\udbff]$/, '').trimEnd();
}
