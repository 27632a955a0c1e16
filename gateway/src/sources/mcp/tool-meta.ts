import { fittingIcons } from '../../operations/fitting.ts';
import { isObject, type JsonObject, type UpstreamTool } from '../../operations/index.ts';
import { isInterfaceKey } from '../../operations/mcp-apps.ts';

/** Where a tool's icons are kept: a tool has no place of its own for them. */
export const ICONS_META = 'toolcrib/icons';

/** Characters of JSON of what one tool says about itself to clients. */
const MAX_META = 8192;
/** Prefixes of ours, and those whose first or second label MCP keeps for itself. */
const RESERVED = /^(?:toolcrib|(?:[a-z0-9-]*\.)?(?:modelcontextprotocol|mcp)(?:\.[a-z0-9.-]*)?)\//i;

export interface ToolMeta {
  readonly meta?: JsonObject;
  /** What was left out, and why. */
  readonly dropped: readonly string[];
}

/** A tool's `_meta` and icons, without keys that are ours, the protocol's or of pages, within bounds. */
export function toolMeta({ _meta, icons: given }: Pick<UpstreamTool, '_meta' | 'icons'>): ToolMeta {
  const dropped: string[] = [];
  const icons = fittingIcons(given) ?? [];
  const own = isObject(_meta) ? Object.entries(_meta) : [];
  const members = own.filter(([key]) => {
    const problem = isReserved(key)
      ? 'is reserved'
      : isInterfaceKey(key)
        ? "names a page of the server's, which is not passed on"
        : undefined;
    if (problem !== undefined) dropped.push(`_meta ${JSON.stringify(key.slice(0, 64))} ${problem}`);
    return problem === undefined;
  });
  if (icons.length > 0) members.push([ICONS_META, icons]);
  let size = 2;
  const kept = members.filter(([key, value]) => {
    const length = key.length + JSON.stringify(value).length + 4;
    if (size + length > MAX_META) {
      dropped.push(`${key === ICONS_META ? 'icons' : `_meta ${JSON.stringify(key.slice(0, 64))}`} too large`);
      return false;
    }
    size += length;
    return true;
  });
  return { dropped, ...(kept.length === 0 ? {} : { meta: Object.fromEntries(kept) }) };
}

/** Keys that mean something to us or to MCP itself; nobody else may set them (MCP basic, `_meta`). */
export function isReserved(key: string): boolean {
  return key === '__proto__' || RESERVED.test(key);
}
