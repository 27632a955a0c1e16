import type { PublishedTool, TokenCount } from '../operations/index.ts';

/** What most clients give a model of a tool; output schema and annotations stay with the client. */
export function givenText({ tool }: Pick<PublishedTool, 'tool'>): string {
  const { name, description, inputSchema } = tool;
  return JSON.stringify({ name, description, inputSchema });
}

/** Counts by tool object, forgotten with it; a tool of the catalog is counted once, however many views show it. */
const COUNTS = new WeakMap<TokenCount, WeakMap<PublishedTool, number>>();

/** Tokens of a tool as a model is given it. */
export function toolTokens(published: PublishedTool, count: TokenCount): number {
  let counts = COUNTS.get(count);
  if (counts === undefined) {
    counts = new WeakMap();
    COUNTS.set(count, counts);
  }
  let tokens = counts.get(published);
  if (tokens === undefined) {
    tokens = count(givenText(published));
    counts.set(published, tokens);
  }
  return tokens;
}
