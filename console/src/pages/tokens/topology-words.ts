/** What each topology does with the operations, in a few words. */
const WORDS: Readonly<Record<string, string>> = Object.freeze({
  flat: 'One tool an operation.',
  hybrid: 'A tool a category, and three that find and call the rest.',
  discover: 'Small sources as they are; large ones are searched.',
  categories: 'A tool a category, nothing else.',
  search: 'Four tools that search, describe and call.',
  base: 'Three tools: list endpoints, read a schema, call.',
  capped: 'The first tools of each connection, the rest on request.',
});

export function wordsOf(topology: string): string | undefined {
  return Object.hasOwn(WORDS, topology) ? WORDS[topology] : undefined;
}
