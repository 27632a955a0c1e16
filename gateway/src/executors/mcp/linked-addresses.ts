import type { ContentBlock } from '../../operations/index.ts';

const MAX_ADDRESSES = 200;
const MAX_ADDRESS = 4096;

/** Addresses of the resources that an answer links to or embeds, each once. */
export function linkedAddresses(content: readonly ContentBlock[]): readonly string[] {
  const uris = new Set<string>();
  for (const block of content) {
    const uri =
      block.type === 'resource_link' ? block.uri : block.type === 'resource' ? block.resource.uri : undefined;
    if (uri !== undefined && uri.length <= MAX_ADDRESS && uris.size < MAX_ADDRESSES) uris.add(uri);
  }
  return [...uris];
}
