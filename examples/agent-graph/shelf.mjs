/** What both providers know. */
export const SHELF = [
  {
    title: 'Tides',
    url: 'https://example.org/tides',
    snippet: 'The moon raises two tides a day in most places.',
  },
  {
    title: 'Spring tides',
    url: 'https://example.org/spring-tides',
    snippet: 'At new and full moon sun and moon pull in one line: tides are highest.',
  },
  { title: 'Bread', url: 'https://example.org/bread', snippet: 'Flour, water, salt, time.' },
];

/** Entries with at least one word of the query. */
export function find(query) {
  const words = query
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 3);
  return SHELF.filter(({ title, snippet }) =>
    words.some((word) => `${title} ${snippet}`.toLowerCase().includes(word)),
  );
}
