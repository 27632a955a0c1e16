import { isObject, type Json } from './json/json.ts';
import type { ContentBlock } from './result.ts';

/**
 * Pages that a server has its client show beside its tools (MCP Apps, MCP-UI, OpenAI's Apps SDK). Such a page calls the
 * tools of the connection that it came over: behind a gateway these are everybody's, so none is passed on (decision
 * 037).
 */
export function isInterface(uri: string): boolean {
  return /^ui:/i.test(uri);
}

/** A key of `_meta` that says which page shows a tool or an answer, or what that page may do. */
export function isInterfaceKey(key: string): boolean {
  return /^(?:ui$|ui\/|openai\/)/i.test(key);
}

/** Whether a tool is there for its server's page and hidden from models. */
export function isForInterfaceAlone(meta: Json | undefined): boolean {
  if (!isObject(meta)) return false;
  const { ui } = meta;
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  if (Array.isArray(visibility) && !visibility.includes('model')) return true;
  return meta['openai/visibility'] === 'private';
}

/** A block as it is passed on: of a page only that there was one. */
export function withoutInterface(block: ContentBlock): ContentBlock {
  const uri =
    block.type === 'resource' ? block.resource.uri : block.type === 'resource_link' ? block.uri : undefined;
  if (uri === undefined || !isInterface(uri)) return block;
  return { type: 'text', text: 'The server has a page to show this with, which is not passed on.' };
}
