import { PROTOCOL_VERSION_META_KEY, UnsupportedProtocolVersionError } from '@modelcontextprotocol/server';
import { isObject, type Json } from '../../operations/index.ts';
import type { Refusal } from './refusal.ts';
import { isRequestId } from './request-id.ts';

/** The one without a handshake. */
const STATELESS_REVISION = '2026-07-28';

/**
 * The answer to a request whose `_meta` names a revision that is not served that way (MCP 2026-07-28, "Protocol Version
 * Negotiation"): of a connection the SDK looks at what came first. Undefined for every other message.
 */
export function refusedVersion(message: unknown): Refusal | undefined {
  if (!isObject(message) || message['method'] === 'initialize' || !isObject(message['params']))
    return undefined;
  const { id } = message;
  const meta: Json | undefined = message['params']['_meta'];
  const requested = isObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined;
  if (typeof requested !== 'string' || requested === STATELESS_REVISION) return undefined;
  if (!isRequestId(id)) return undefined;
  const {
    code,
    message: text,
    data,
  } = new UnsupportedProtocolVersionError({
    supported: [STATELESS_REVISION],
    requested,
  });
  return { jsonrpc: '2.0', id, error: { code, message: text, data } };
}
