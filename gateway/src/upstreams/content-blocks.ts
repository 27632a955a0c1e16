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

/** A value as it may stand there; undefined where it may not. */
type Fit = (value: Json) => Json | undefined;

const text: Fit = (value) => (typeof value === 'string' ? value : undefined);
const number: Fit = (value) => (typeof value === 'number' ? value : undefined);
const object: Fit = (value) => (isObject(value) ? value : undefined);

/** An instant with its offset: MCP's `lastModified`. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

const ANNOTATIONS: Readonly<Record<string, Fit>> = {
  audience: (value) =>
    Array.isArray(value) && value.every((one) => one === 'user' || one === 'assistant') ? value : undefined,
  priority: (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined),
  lastModified: (value) =>
    typeof value === 'string' && INSTANT.test(value) && Number.isFinite(Date.parse(value))
      ? value
      : undefined,
};

const ICON: Readonly<Record<string, Fit>> = {
  mimeType: text,
  sizes: (value) =>
    Array.isArray(value) && value.every((one) => text(one) !== undefined) ? value : undefined,
  theme: (value) => (value === 'light' || value === 'dark' ? value : undefined),
};

/** What MCP lets stand beside the content of a block or resource. */
const BESIDE: Readonly<Record<string, Fit>> = {
  _meta: object,
  annotations: fittingAnnotations,
  title: text,
  description: text,
  mimeType: text,
  size: number,
  icons: fittingIcons,
};

/** MCP's annotations of content and of resources; undefined where nothing of them fits. */
export function fittingAnnotations(value: Json): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const fit = fitting(value, ANNOTATIONS);
  return Object.keys(fit).length === 0 ? undefined : fit;
}

/** Those icons that say where their picture is; undefined where none does. */
export function fittingIcons(value: Json): JsonObject[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const icons = value.filter(isObject).filter(({ src }) => typeof src === 'string');
  return icons.length === 0 ? undefined : icons.map((icon) => fitting(icon, ICON));
}

/** The same without members that do not fit. */
function fitting(value: JsonObject, members: Readonly<Record<string, Fit>> = BESIDE): JsonObject {
  const fit = Object.entries(value).map(([key, given]): [string, Json | undefined] => [
    key,
    Object.hasOwn(members, key) ? members[key]!(given) : given,
  ]);
  return Object.fromEntries(fit.filter((member): member is [string, Json] => member[1] !== undefined));
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
