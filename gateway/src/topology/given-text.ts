import type { PublishedTool, TokenEstimate } from '../operations/index.ts';

/** What most clients give a model of a tool; output schema and annotations stay with the client. */
export function givenText({ tool }: Pick<PublishedTool, 'tool'>): string {
  const { name, description, inputSchema } = tool;
  return JSON.stringify({ name, description, inputSchema });
}

/** Tokens of a tool as a model is given it. */
export const toolTokens = onceEach<number>();

/** The same without the tokenizer. */
export const toolEstimate = onceEach<TokenEstimate>();

/** What is found of a tool's text is kept by tool object, and forgotten with it: once, however many views show it. */
function onceEach<T>(): (published: PublishedTool, find: (text: string) => T) => T {
  const known = new WeakMap<(text: string) => T, WeakMap<PublishedTool, T>>();
  return (published, find) => {
    let found = known.get(find);
    if (found === undefined) {
      found = new WeakMap();
      known.set(find, found);
    }
    let one = found.get(published);
    if (one === undefined) {
      one = find(givenText(published));
      found.set(published, one);
    }
    return one;
  };
}
