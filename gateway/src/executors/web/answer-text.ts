import type { RetrievedChunks, ScrapedPage, SearchResults } from '../../web/provider.ts';

/** Answers as text that a model reads with fewer tokens than JSON; the structured content holds every field. */

export function searchText({ query, results }: SearchResults): string {
  if (results.length === 0) return `Nothing was found for: ${query}`;
  return results
    .map(({ title, url, snippet, publishedAt }, index) =>
      [
        `${index + 1}. ${title}`,
        `   ${url}${publishedAt === undefined ? '' : ` (${publishedAt})`}`,
        snippet === '' ? '' : `   ${snippet}`,
      ]
        .filter((line) => line !== '')
        .join('\n'),
    )
    .join('\n\n');
}

export function pageText({ title, finalUrl, byline, publishedAt, content }: ScrapedPage): string {
  const facts = [finalUrl, byline, publishedAt].filter((fact) => fact !== undefined).join(' · ');
  return [title === '' ? '' : `# ${title}`, facts, content].filter((part) => part !== '').join('\n\n');
}

export function chunksText({ query, chunks }: RetrievedChunks): string {
  if (chunks.length === 0) return `No passage fits: ${query}`;
  return chunks
    .map(
      ({ id, source, score, text }) => `[${id}] ${source} (score ${Number(score.toPrecision(4))})\n${text}`,
    )
    .join('\n\n');
}
