import { isObject } from '../../operations/index.ts';

/** What one that is not ours may take to say so, milliseconds. */
const PATIENCE_MS = 1_500;
const LIMITS = { timeoutMs: PATIENCE_MS, maxBytes: 65_536, maxRedirects: 0 };

/**
 * The object that `path` answers with at an address of this machine, asked without any credential; undefined: nothing
 * listens there, or it answers something else.
 */
export async function askAt(
  url: string,
  path: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { createEgress } = await import('../../egress/index.ts');
  const egress = createEgress({ allow: [url] });
  try {
    const request = {
      method: 'GET',
      url: `${url}${path}`,
      headers: [['accept', 'application/json']] as const,
    };
    const { body } = await egress.request(request, LIMITS, AbortSignal.timeout(PATIENCE_MS));
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  } finally {
    await egress.close();
  }
}
