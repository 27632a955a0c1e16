import type { OutgoingRequest } from '../egress/egress.ts';
import { ToolcribError } from '../errors.ts';
import type { Connection, ProviderFacts } from '../operations/index.ts';

/**
 * Origins that may receive the connection's credential. Without a provider: its base URL's, or any (undefined)
 * where it has none. With a provider: the one origin of base URL, region or manifest; an unknown region has none.
 */
export function originsOf(
  { baseUrl, provider, region }: Connection,
  facts: ProviderFacts | undefined,
): readonly string[] | undefined {
  if (baseUrl !== undefined) return originList(baseUrl);
  if (provider === undefined && facts === undefined) return undefined;
  if (facts === undefined) return [];
  if (region === undefined) return originList(facts.baseUrl);
  return Object.hasOwn(facts.regions, region) ? originList(facts.regions[region]!.baseUrl) : [];
}

function originList(url: string): readonly string[] {
  const origin = URL.parse(url)?.origin;
  return origin === undefined || origin === 'null' ? [] : [origin];
}

/** A credential belongs to its connection's origin and goes nowhere else. Throws `egress_blocked`. */
export function assertOrigin(
  { url }: OutgoingRequest,
  { name }: Connection,
  allowed: readonly string[] | undefined,
): void {
  const origin = URL.parse(url)?.origin;
  if (origin !== undefined && origin !== 'null' && (allowed === undefined || allowed.includes(origin)))
    return;
  throw new ToolcribError(
    'egress_blocked',
    `The credential of connection ${name} is not sent to ${origin ?? 'an unreadable URL'}: it belongs to ${(allowed ?? []).join(', ') || 'no origin'}.`,
  );
}
