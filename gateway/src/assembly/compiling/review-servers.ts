import type { SourceConfiguration } from '../../config/configuration.ts';
import { isToolcribError } from '../../errors.ts';
import { baseUrlOf } from '../../operations/http/base-url.ts';
import type { Diagnostic, Operation } from '../../operations/index.ts';

/** Operations of a document whose calls lead nowhere, since neither it nor the configuration says where; each reason once. */
export function reviewServers(
  operations: readonly Operation[],
  name: string,
  { kind, baseUrl, serverVariables }: Pick<SourceConfiguration, 'kind' | 'baseUrl' | 'serverVariables'>,
): Diagnostic[] {
  if (kind !== 'openapi' || baseUrl !== undefined) return [];
  const connection = { source: name, ...(serverVariables === undefined ? {} : { serverVariables }) };
  const known = new Set<string>();
  const messages = new Set<string>();
  for (const { invocation } of operations) {
    if (invocation.kind !== 'http') continue;
    const server = JSON.stringify(invocation.servers[0] ?? null);
    if (known.has(server)) continue;
    known.add(server);
    try {
      baseUrlOf(invocation, connection);
    } catch (error) {
      if (!isToolcribError(error)) throw error;
      messages.add(error.message);
    }
  }
  return [...messages].map((message) => ({ code: 'server-unusable', severity: 'warning', message }));
}
