import type { SourceConfiguration } from '../config/configuration.ts';
import { literalSecrets } from '../config/source-edit/literal-secrets.ts';
import { canonicalHash, isObject, type JsonObject, parsePointer, valueAt } from '../operations/index.ts';

/**
 * Tells accounts that the configuration names apart without their secrets: of one that stands there as text it only
 * counts that it is there. Undefined where the source names neither credential nor headers nor certificate.
 */
export function accountKey({ credentials, headers, tls }: SourceConfiguration): string | undefined {
  const certificate = tls?.certificate;
  if (credentials === undefined && headers === undefined && certificate === undefined) return undefined;
  const named: JsonObject = JSON.parse(JSON.stringify({ credentials, headers, certificate }));
  for (const pointer of literalSecrets(named)) {
    const tokens = parsePointer(pointer)!;
    const holder = valueAt(named, tokens.slice(0, -1));
    if (isObject(holder)) holder[tokens.at(-1)!] = 'text';
  }
  return canonicalHash(named).slice('sha256:'.length, 23);
}
