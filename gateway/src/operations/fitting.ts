import { isObject, type Json, type JsonObject } from './json/json.ts';

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
export function fittingAnnotations(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const fit = fitting(value, ANNOTATIONS);
  return Object.keys(fit).length === 0 ? undefined : fit;
}

/** A picture that a client may show: whoever takes icons must refuse what another address would start (MCP basic, `icons`). */
const PICTURE = /^(?:https:\/\/[^\s]|data:image\/)/i;

/** Those icons that say where their picture is; undefined where none does. */
export function fittingIcons(value: unknown): JsonObject[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const icons = value.filter(isObject).filter(({ src }) => typeof src === 'string' && PICTURE.test(src));
  return icons.length === 0 ? undefined : icons.map((icon) => fitting(icon, ICON));
}

/** The same without members that do not fit; what MCP does not know there stays. */
export function fitting(value: JsonObject, members: Readonly<Record<string, Fit>> = BESIDE): JsonObject {
  // most blocks and resources hold nothing that has to fit
  if (!Object.keys(value).some((key) => Object.hasOwn(members, key))) return value;
  const fit = Object.entries(value).map(([key, given]): [string, Json | undefined] => [
    key,
    Object.hasOwn(members, key) ? members[key]!(given) : given,
  ]);
  return Object.fromEntries(fit.filter((member): member is [string, Json] => member[1] !== undefined));
}
