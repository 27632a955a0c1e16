import type { Egress } from '../egress/egress.ts';

/** A JSON Web Key Set has some kilobytes. */
const LIMITS = { timeoutMs: 10_000, maxBytes: 512 * 1024, maxRedirects: 1 };

/** The keys that an issuer signs with, as they came (RFC 7517 §5). Throws EgressFailure. */
export async function fetchKeySet(
  egress: Egress,
  url: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; text(): Promise<string> }> {
  const { status, body } = await egress.request(
    { method: 'GET', url, headers: [['accept', 'application/json']] },
    LIMITS,
    signal,
  );
  return { status, text: async () => Buffer.from(body).toString('utf8') };
}
