import { afterEach } from 'vitest';
import { createSecretReader } from '../../src/credentials/secret-reference.ts';
import { createEgress, type Egress } from '../../src/egress/index.ts';
import { isToolcribError, type ToolcribError } from '../../src/errors.ts';
import type { ProviderParts } from '../../src/web/provider-door.ts';

interface Closing {
  close?(): Promise<void>;
}

/** What a test opens is closed after it. */
export function closing(): <T extends Closing>(resource: T) => T {
  const open: Closing[] = [];
  afterEach(async () => {
    for (const resource of open.splice(0).reverse()) await resource.close?.();
  });
  return (resource) => {
    open.push(resource);
    return resource;
  };
}

/** Parts as the gateway hands them over: one door that lets the named services through, secrets from `env`. */
export function parts(
  urls: readonly string[],
  env: Record<string, string> = {},
): ProviderParts & { readonly egress: Egress; readonly announced: string[] } {
  const announced: string[] = [];
  return {
    egress: createEgress({ allow: urls.map((url) => new URL(url).origin) }),
    secrets: createSecretReader(env, (secret) => announced.push(secret)),
    announced,
  };
}

export async function failureOf(promise: Promise<unknown>): Promise<ToolcribError> {
  const error = await promise.then(
    (value) => new Error(`It did not fail: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (isToolcribError(error)) return error;
  throw error;
}
