import type { SourceConfiguration } from '../config/configuration.ts';
import { literalSecrets } from '../config/literal-secrets.ts';
import { canonicalHash, isObject, type JsonObject, parsePointer, valueAt } from '../operations/index.ts';

/**
 * Tells accounts that the configuration names apart without their secrets: of one that stands there as text it only
 * counts that it is there. Undefined where the source names neither credential nor headers.
 */
export function accountKey({ credentials, headers }: SourceConfiguration): string | undefined {
  if (credentials === undefined && headers === undefined) return undefined;
  const named: JsonObject = JSON.parse(JSON.stringify({ credentials, headers }));
  for (const pointer of literalSecrets(named)) {
    const tokens = parsePointer(pointer)!;
    const holder = valueAt(named, tokens.slice(0, -1));
    if (isObject(holder)) holder[tokens.at(-1)!] = 'text';
  }
  return canonicalHash(named).slice('sha256:'.length, 23);
}
