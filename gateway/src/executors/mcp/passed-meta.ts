import type { JsonObject } from '../../operations/index.ts';
import { isInterfaceKey } from '../../operations/mcp-apps.ts';
import { isReserved } from '../../sources/mcp/tool-meta.ts';

/** What the protocol's own keys say counts between the upstream and us; ours, only we may set. */
export function passedMeta(meta: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(meta).filter(
      ([key]) => !isReserved(key) && !isInterfaceKey(key) && key !== 'progressToken',
    ),
  );
}
