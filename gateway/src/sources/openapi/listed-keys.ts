import type { JsonObject, SecurityAlternative } from '../../operations/index.ts';
import { isAuthorizationParameter, STATED_SCHEME, statedScheme } from './authorization-parameter.ts';
import type { Place } from './place.ts';
import type { Reading } from './reading.ts';

/**
 * What an operation asks for, with the API keys and the `Authorization` among its parameters: a required one belongs to
 * every alternative, an optional one that none has goes along where it is configured. Documents that describe a key in
 * both places forget one. `security: []` stays what it says: nothing is sent.
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
    if (optional.length === 0) return least;
    return [...least.flatMap((one) => withKeys(one, optional)), ...least];
  });
}

/** The schemes that put it into its place, any of which will do. */
type ListedKey = readonly string[];

function listedKeys(
  reading: Reading,
  parameters: readonly Place[],
  security: readonly SecurityAlternative[],
): { readonly required: readonly ListedKey[]; readonly optional: readonly ListedKey[] } {
  const required: ListedKey[] = [];
  const optional: ListedKey[] = [];
  for (const { node } of parameters) {
    const key = keyOf(reading, node);
    if (key === undefined) continue;
    if (node.required === true) required.push(key);
    else if (!security.some((alternative) => hasKey(alternative, key))) optional.push(key);
  }
  return { required, optional };
}

function keyOf({ secrets, authorization, statedSchemes }: Reading, node: JsonObject): ListedKey | undefined {
  const known = secrets.size === 0 ? undefined : secrets.get(`${node.in}:${node.name}`.toLowerCase());
  if (known !== undefined || authorization === undefined || !isAuthorizationParameter(node)) return known;
  if (authorization.length > 0) return authorization;
  statedSchemes[STATED_SCHEME] ??= statedScheme(node);
  return [STATED_SCHEME];
}

/** The alternative with each of the keys, by any of its schemes. */
function withKeys(alternative: SecurityAlternative, keys: readonly ListedKey[]): SecurityAlternative[] {
  const missing = keys.filter((key) => !hasKey(alternative, key));
  return missing.reduce<SecurityAlternative[]>(
    (alternatives, key) => alternatives.flatMap((one) => key.map((scheme) => ({ ...one, [scheme]: [] }))),
    [alternative],
  );
}

function hasKey(alternative: SecurityAlternative, key: ListedKey): boolean {
  return key.some((scheme) => Object.hasOwn(alternative, scheme));
}
