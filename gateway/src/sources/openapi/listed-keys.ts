import type { SecurityAlternative } from '../../operations/index.ts';
import type { Place } from './place.ts';
import type { Reading } from './reading.ts';

/**
 * What an operation asks for, with the API keys among its parameters: a required one belongs to every alternative, an
 * optional one that none has goes along where it is configured. Documents that describe a key in both places forget
 * one. `security: []` stays what it says: nothing is sent.
 */
export function withListedKeys(
  reading: Reading,
  operation: Place,
  parameters: readonly Place[],
  security: readonly SecurityAlternative[],
): readonly SecurityAlternative[] {
  const { required, optional } = listedKeys(reading, parameters, security);
  if (required.length + optional.length === 0) return security;
  const stated = operation.node.security ?? reading.root.security ?? undefined;
  if (stated !== undefined && security.length === 0) return security;
  return (security.length === 0 ? [{}] : security).flatMap((alternative) => {
    const least = withKeys(alternative, required);
    return optional.length === 0 ? [least] : [withKeys(least, optional), least];
  });
}

/** The schemes that put it into its place, any of which will do. */
type ListedKey = readonly [string, ...string[]];

function listedKeys(
  { secrets }: Reading,
  parameters: readonly Place[],
  security: readonly SecurityAlternative[],
): { readonly required: readonly ListedKey[]; readonly optional: readonly ListedKey[] } {
  const required: ListedKey[] = [];
  const optional: ListedKey[] = [];
  for (const { node } of secrets.size === 0 ? [] : parameters) {
    const key = secrets.get(`${node.in}:${node.name}`.toLowerCase());
    if (key === undefined) continue;
    if (node.required === true) required.push(key);
    else if (!security.some((alternative) => hasKey(alternative, key))) optional.push(key);
  }
  return { required, optional };
}

function withKeys(alternative: SecurityAlternative, keys: readonly ListedKey[]): SecurityAlternative {
  const missing = keys.filter((key) => !hasKey(alternative, key));
  return missing.length === 0
    ? alternative
    : { ...alternative, ...Object.fromEntries(missing.map(([scheme]) => [scheme, []])) };
}

function hasKey(alternative: SecurityAlternative, key: ListedKey): boolean {
  return key.some((scheme) => Object.hasOwn(alternative, scheme));
}
