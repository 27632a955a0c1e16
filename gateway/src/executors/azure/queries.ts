import { percentDecoded } from '../../operations/http/percent-decoded.ts';
import type { Json, JsonObject, ParameterBinding } from '../../operations/index.ts';
import { boundValue } from '../http/bound-value.ts';
import { type Pair, plainPairs } from '../http/expand-style.ts';
import { contentText } from '../http/parameter-content.ts';

/**
 * Query parameters as the envelope's flat map: names as the connector says them, values not encoded. A map cannot
 * repeat a name: what `collectionFormat: multi` would repeat is joined by `,`. What the path key fixes (`fixed`,
 * percent-encoded) no argument changes.
 */
export function connectorQueries(
  bindings: readonly ParameterBinding[],
  fixed: readonly Pair[],
  args: JsonObject,
): Record<string, string> {
  const queries = flatMap();
  for (const binding of bindings) {
    const value = boundValue(binding, args);
    if (value === undefined || value === null) continue;
    addAll(queries, pairsOf(binding, value));
  }
  const own = flatMap();
  addAll(
    own,
    fixed.map(([name, value]) => [percentDecoded(name), percentDecoded(value)] as const),
  );
  return Object.assign(queries, own);
}

/** The query of an address as such a map. */
export function queriesOfUrl(url: URL): Record<string, string> {
  const queries = flatMap();
  addAll(queries, [...url.searchParams]);
  return queries;
}

function pairsOf(binding: ParameterBinding, value: Json): readonly Pair[] {
  if (binding.contentType !== undefined)
    return [[binding.name, contentText(value, binding.contentType, binding.members)]];
  const style = binding.style ?? 'form';
  return plainPairs(value, {
    name: binding.name,
    style,
    explode: binding.explode ?? style === 'form',
    delimiter: binding.delimiter,
    nested: binding.nested,
  });
}

function addAll(queries: Record<string, string>, pairs: readonly Pair[]): void {
  for (const [name, value] of pairs) {
    queries[name] = name in queries ? `${queries[name]},${value}` : value;
  }
}

/** Without a prototype: `__proto__` is a name like any other. */
function flatMap(): Record<string, string> {
  return Object.create(null);
}
