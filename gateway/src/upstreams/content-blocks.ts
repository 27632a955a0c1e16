import { fitting } from '../operations/fitting.ts';
import { type ContentBlock, isObject, type Json, type JsonObject } from '../operations/index.ts';

type ResourceContent = JsonObject & { uri: string; mimeType?: string } & (
    | { text: string }
    | { blob: string }
  );

/**
 * A block as MCP writes it, since a client refuses an answer with one that is not, and the call is done by then: what
 * beside its content does not fit is left out, bytes are put into plain base64, and anything else is text, so that it
 * is not lost.
 */
export function blockOf(value: Json): ContentBlock {
  return knownBlock(value) ?? asText(value);
}

export function asText(block: Json): ContentBlock {
  return { type: 'text', text: typeof block === 'string' ? block : JSON.stringify(block) };
}

function knownBlock(value: Json): (JsonObject & ContentBlock) | undefined {
  if (!isObject(value)) return undefined;
  const block = fitting(value);
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? (block as JsonObject & ContentBlock) : undefined;
    case 'image':
    case 'audio': {
      const data = base64Of(block['data']);
      if (data === undefined || typeof block['mimeType'] !== 'string') return undefined;
      return { ...block, data } as JsonObject & ContentBlock;
    }
    case 'resource_link': {
      const isLink = typeof block['uri'] === 'string' && typeof block['name'] === 'string';
      return isLink ? (block as JsonObject & ContentBlock) : undefined;
    }
    case 'resource': {
      const resource = resourceContent(block['resource']);
      return resource && ({ ...block, resource } as JsonObject & ContentBlock);
    }
    default:
      return undefined;
  }
}

/** Undefined where it says neither what it is of nor what it holds. */
export function resourceContent(value: Json | undefined): ResourceContent | undefined {
  if (!isObject(value) || typeof value['uri'] !== 'string') return undefined;
  const { text, blob, ...about } = fitting(value);
  if (typeof text === 'string') return { ...about, text } as ResourceContent;
  const bytes = base64Of(blob);
  return bytes === undefined ? undefined : ({ ...about, blob: bytes } as ResourceContent);
}

/** Base64 as MCP wants it, also of a data URL or of the alphabet of addresses (RFC 4648, section 5). */
function base64Of(value: Json | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isBase64(value)) return value;
  const bytes = value
    .replace(/^data:[^,]{0,200};base64,/i, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  return isBase64(bytes) ? bytes : undefined;
}

function isBase64(value: string): boolean {
  if (value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)) return true;
  try {
    atob(value);
    return true;
  } catch {
    return false;
  }
}
