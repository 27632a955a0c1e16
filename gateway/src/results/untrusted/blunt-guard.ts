import type { MarkdownPolicy } from '../../operations/index.ts';
import { linkTarget } from './link-target.ts';

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`)\]]+/gi;

/**
 * Takes every mark apart that could begin a link, an image, a definition or HTML, wherever it stands. For texts that
 * are not worth parsing: linear time, and nothing survives, also not in code.
 */
export function bluntGuard(text: string, policy: MarkdownPolicy): string {
  const inert = text
    .replace(/!(?=\[)/g, '')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/<(?=[a-z/!?])/gi, '< ');
  return policy === 'strip' ? withoutAddresses(inert) : inert;
}

/** Addresses that stand in plain text, as their hosts. */
export function withoutAddresses(text: string, hosts: readonly string[] = []): string {
  return text.replace(ADDRESS, (address) => {
    const { allowed, host } = linkTarget(address, hosts);
    return allowed ? address : host;
  });
}
