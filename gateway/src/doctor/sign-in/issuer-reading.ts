import type { Configuration } from '../../config/index.ts';
import type { JsonObject } from '../../operations/index.ts';

/** What came of reading the issuer's metadata; undefined where it publishes none. */
export type IssuerReading = { readonly metadata: JsonObject | undefined } | { readonly error: unknown };

/** For all metadata documents of an issuer together, milliseconds. */
const READ_MS = 15_000;

/** An error is part of what came: each check says what it means there. */
export async function readIssuer({ egress }: Configuration, issuer: string): Promise<IssuerReading> {
  const { createEgress } = await import('../../egress/index.ts');
  const { readIssuerMetadata } = await import('../../credentials/issuer-metadata.ts');
  const door = createEgress(egress);
  try {
    return { metadata: await readIssuerMetadata(door, issuer, AbortSignal.timeout(READ_MS)) };
  } catch (error) {
    return { error };
  } finally {
    await door.close();
  }
}
