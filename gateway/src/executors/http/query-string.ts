import type { PathKey } from '../../operations/http/path-key.ts';
import { percentDecoded } from '../../operations/http/percent-decoded.ts';
import { isObject, type Json, type JsonObject, type ParameterBinding } from '../../operations/index.ts';
import { isFormType, mediaTypeOf } from '../../results/media-type.ts';
import { boundValue, refusedValue, serialised } from './bound-value.ts';
import { expandPairs, type Pair, plainDelimiter } from './expand-style.ts';
import { formPairs } from './form-pairs.ts';
import { contentText } from './parameter-content.ts';
import {
  encodeDelimiter,
  encodeQueryString,
  encodeReservedName,
  encodeReservedQuery,
  encodeStrict,
} from './percent-encoding.ts';
import { primitiveText } from './primitive-text.ts';
import { QueryNames } from './query-names.ts';

export interface QueryParts {
  /** The base URL's own query, as it is. */
  readonly base: string;
  /** What of it the configuration says: no argument changes that. */
  readonly configured: ReadonlySet<string>;
  readonly key: PathKey['query'];
  /** Bindings of query and querystring. */
  readonly bindings: readonly ParameterBinding[];
  /** Bindings of the path, for `{placeholders}` in the key's query. */
  readonly path: ReadonlyMap<string, ParameterBinding>;
  /** From `{?a,b}` in the path. */
  readonly fromPath: readonly Pair[];
  /** Names that a credential will take: no argument may use them. */
  readonly credentials: ReadonlySet<string>;
  /** Lower-case names of the headers bound; AWS repeats one of them in its path keys. */
  readonly headers: ReadonlySet<string>;
}

/** The query without `?`. What the path key fixes is the operation's identity: no argument changes it. */
export function queryString(parts: QueryParts, args: JsonObject): string {
  const written: string[] = parts.base === '' ? [] : [parts.base];
  const fixed = fixedPairs(parts, args);
  for (const [name, value] of fixed) written.push(`${encodeStrict(name)}=${encodeQueryString(value)}`);
  for (const pair of parts.fromPath) written.push(pair.join('='));
  const given = new Set<string>();
  const names = new QueryNames();
  for (const binding of parts.bindings) {
    const value = boundValue(binding, args);
    if (value === undefined || value === null) continue;
    for (const pair of serialised(binding, () => pairsOf(binding, value))) {
      const name = percentDecoded(pair[0]);
      if (binding.arg !== undefined && parts.credentials.has(name)) {
        throw refusedValue(binding, 'would set a credential, which comes from the configuration alone');
      }
      if (parts.configured.has(name)) continue;
      if (fixed.size > 0 && saysTheSame(binding, name, pair[1], fixed)) continue;
      names.take(name, binding, value);
      given.add(name);
      written.push(pair[1] === undefined ? pair[0] : `${pair[0]}=${pair[1]}`);
    }
  }
  for (const [name, value] of parts.key) {
    if (value === undefined && !given.has(percentDecoded(name))) written.push(encodeQueryString(name));
  }
  return written.join('&');
}

/** Decoded `name=value` pairs of the key, except where a header carries the discriminator. */
function fixedPairs(
  { key, headers, path, bindings }: QueryParts,
  args: JsonObject,
): ReadonlyMap<string, string> {
  const fixed = new Map<string, string>();
  for (const [rawName, rawValue] of key) {
    if (rawValue === undefined || headers.has(rawName.toLowerCase())) continue;
    const name = percentDecoded(rawName);
    const placeholder = /^\{([^{}]*)\}$/.exec(rawValue)?.[1];
    if (placeholder === undefined) {
      fixed.set(name, rawValue);
      continue;
    }
    const binding = path.get(placeholder);
    const value = binding && boundValue(binding, args);
    if (bindings.some((other) => other.name === name) || binding === undefined) continue;
    if (value !== undefined && value !== null) {
      fixed.set(
        name,
        serialised(binding, () => encodeStrict(primitiveText(value))),
      );
    }
  }
  return fixed;
}

/** True: the fixed pair stands for this one. A different value from an argument is refused. */
function saysTheSame(
  binding: ParameterBinding,
  name: string,
  value: string | undefined,
  fixed: ReadonlyMap<string, string>,
): boolean {
  const own = fixed.get(name);
  if (own === undefined) return false;
  if (binding.arg === undefined || percentDecoded(own) === percentDecoded(value ?? '')) return true;
  throw refusedValue(binding, `must give ${name} as ${percentDecoded(own)}: the operation's path fixes it`);
}

type LoosePair = readonly [name: string, value: string | undefined];

function pairsOf(binding: ParameterBinding, value: Json): readonly LoosePair[] {
  if (binding.in === 'querystring') return wholeQuery(binding, value);
  const encode = binding.allowReserved ? encodeReservedQuery : encodeStrict;
  const encodeName = binding.allowReserved ? encodeReservedName : encodeStrict;
  if (binding.contentType !== undefined) {
    return [[encodeName(binding.name), encode(contentText(value, binding.contentType, binding.members))]];
  }
  const style = binding.style ?? 'form';
  return expandPairs(value, {
    name: binding.name,
    style,
    explode: binding.explode ?? style === 'form',
    delimiter: encodeDelimiter(binding.delimiter ?? plainDelimiter(style)),
    nested: binding.nested?.map(encodeDelimiter),
    encode,
    encodeName,
  });
}

/** OpenAPI 3.2 `in: querystring`: the whole query is one value of a media type. */
function wholeQuery(
  { contentType = 'application/x-www-form-urlencoded', members }: ParameterBinding,
  value: Json,
): LoosePair[] {
  if (!isFormType(mediaTypeOf(contentType)))
    return [[encodeStrict(contentText(value, contentType)), undefined]];
  if (isObject(value)) return [...formPairs(value, members)];
  return encodeQueryString(primitiveText(value))
    .split('&')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0 ? [part, undefined] : [part.slice(0, equals), part.slice(equals + 1)];
    });
}
